import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateApiKeys1795824003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE api_keys (
      id binary(16) NOT NULL,
      account_id binary(16) NOT NULL,
      mode enum('live', 'test') NOT NULL,
      name varchar(100) NULL,
      sha256 binary(32) NOT NULL,
      last_four char(4) NOT NULL,
      created_at datetime(3) NOT NULL,
      expires_at datetime(3) NULL,
      last_used_at datetime(3) NULL,
      revoked_at datetime(3) NULL,
      replaced_by binary(16) NULL,
      PRIMARY KEY (id),
      UNIQUE KEY api_keys_sha256 (sha256),
      KEY api_keys_account (account_id),
      CONSTRAINT api_keys_account_exists FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE api_keys');
  }
}
