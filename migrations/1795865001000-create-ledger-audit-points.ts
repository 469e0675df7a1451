import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the daily audit has read each ledger, so that a row is read once. */
export class CreateLedgerAuditPoints1795865001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE ledger_audit_points (
      account_id binary(16) NOT NULL,
      from_id bigint unsigned NOT NULL,
      through_id bigint unsigned NOT NULL,
      purchased bigint NOT NULL,
      gifted bigint NOT NULL,
      month int unsigned NOT NULL,
      free_verifies_used bigint NOT NULL,
      PRIMARY KEY (account_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ledger_audit_points');
  }
}
