import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateInvitations1795865105000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE invitations (
      token_sha256 binary(32) NOT NULL,
      user_id binary(16) NOT NULL,
      account_id binary(16) NULL,
      role enum('viewer', 'member', 'developer', 'owner') NULL,
      operator tinyint NOT NULL DEFAULT 0,
      expires_at datetime(3) NOT NULL,
      PRIMARY KEY (token_sha256),
      UNIQUE KEY invitations_user_account (user_id, account_id),
      KEY invitations_account (account_id),
      KEY invitations_expiry (expires_at),
      CONSTRAINT invitations_user_exists FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE NO ACTION,
      CONSTRAINT invitations_account_exists FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE invitations');
  }
}
