import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateWebhookEndpoints1795861001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE webhook_endpoints (
      id binary(16) NOT NULL,
      account_id binary(16) NOT NULL,
      mode enum('live', 'test') NOT NULL,
      url varchar(2048) NOT NULL,
      events varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      low bigint unsigned NULL,
      is_low tinyint NOT NULL DEFAULT 0,
      secret varbinary(255) NOT NULL,
      old_secret varbinary(255) NULL,
      old_secret_until datetime(3) NULL,
      failing_since datetime(3) NULL,
      disabled_at datetime(3) NULL,
      disabled_by enum('person', 'gone', 'failing') NULL,
      deleted_at datetime(3) NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      KEY webhook_endpoints_account (account_id, id),
      CONSTRAINT webhook_endpoints_account_exists FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE webhook_endpoints');
  }
}
