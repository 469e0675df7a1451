import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLedgerChunks1795854110000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE ledger_chunks (
      account_id binary(16) NOT NULL,
      number int unsigned NOT NULL,
      from_id bigint unsigned NOT NULL,
      through_id bigint unsigned NOT NULL,
      first_at datetime(3) NOT NULL,
      last_at datetime(3) NOT NULL,
      grants int unsigned NOT NULL,
      charges int unsigned NOT NULL,
      refunds int unsigned NOT NULL,
      credits_after bigint NOT NULL,
      PRIMARY KEY (account_id, number)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ledger_chunks');
  }
}
