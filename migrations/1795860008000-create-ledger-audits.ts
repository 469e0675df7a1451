import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLedgerAudits1795860008000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE ledger_audits (
      id bigint unsigned NOT NULL AUTO_INCREMENT,
      ended_at datetime(3) NOT NULL,
      accounts int unsigned NOT NULL,
      mismatches int unsigned NOT NULL,
      PRIMARY KEY (id),
      KEY ledger_audits_ended (ended_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ledger_audits');
  }
}
