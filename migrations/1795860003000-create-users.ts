import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUsers1795860003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE users (
      id binary(16) NOT NULL,
      email varchar(254) COLLATE utf8mb4_bin NOT NULL,
      name varchar(100) NOT NULL,
      operator tinyint NOT NULL DEFAULT 0,
      password_hash varchar(255) NULL,
      totp_secret varbinary(255) NULL,
      totp_on_at datetime(3) NULL,
      totp_last_step int unsigned NULL,
      oidc_issuer varchar(255) COLLATE utf8mb4_bin NULL,
      oidc_subject varchar(255) COLLATE utf8mb4_bin NULL,
      last_account_id binary(16) NULL,
      last_signed_in_at datetime(3) NULL,
      disabled_at datetime(3) NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY users_email (email),
      UNIQUE KEY users_oidc (oidc_issuer, oidc_subject)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE users');
  }
}
