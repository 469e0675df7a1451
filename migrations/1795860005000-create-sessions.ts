import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSessions1795860005000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE sessions (
      id binary(16) NOT NULL,
      user_id binary(16) NOT NULL,
      token_sha256 binary(32) NOT NULL,
      stage enum('code', 'full') NOT NULL,
      code_tries tinyint unsigned NOT NULL DEFAULT 0,
      address varchar(45) NULL,
      user_agent varchar(255) NULL,
      created_at datetime(3) NOT NULL,
      last_used_at datetime(3) NOT NULL,
      expires_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY sessions_token (token_sha256),
      KEY sessions_user (user_id),
      KEY sessions_expiry (expires_at),
      CONSTRAINT sessions_user_exists FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sessions');
  }
}
