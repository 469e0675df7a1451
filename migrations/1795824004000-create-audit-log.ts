import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAuditLog1795824004000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE audit_log (
      id binary(16) NOT NULL,
      at datetime(3) NOT NULL,
      actor varchar(100) NOT NULL,
      action varchar(64) NOT NULL,
      account_id binary(16) NULL,
      subject varchar(255) NULL,
      details json NULL,
      PRIMARY KEY (id),
      KEY audit_log_account (account_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE audit_log');
  }
}
