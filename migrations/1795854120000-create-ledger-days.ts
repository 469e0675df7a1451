import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLedgerDays1795854120000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE ledger_days (
      account_id binary(16) NOT NULL,
      day date NOT NULL,
      kind enum('grant', 'charge', 'refund') NOT NULL,
      endpoint enum('single', 'batch', 'job', 'other') NOT NULL,
      key_id binary(16) NOT NULL,
      month int unsigned NOT NULL,
      addresses bigint unsigned NOT NULL,
      credits bigint NOT NULL,
      free_verifies bigint NOT NULL,
      PRIMARY KEY (account_id, day, kind, endpoint, key_id, month)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ledger_days');
  }
}
