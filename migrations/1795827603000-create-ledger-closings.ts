import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLedgerClosings1795827603000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE ledger_closings (
      account_id binary(16) NOT NULL,
      month int unsigned NOT NULL,
      through_id bigint unsigned NOT NULL,
      purchased bigint NOT NULL,
      gifted bigint NOT NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (account_id, month)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ledger_closings');
  }
}
