import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUserLinks1795860006000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE user_links (
      token_sha256 binary(32) NOT NULL,
      user_id binary(16) NOT NULL,
      account_id binary(16) NULL,
      kind enum('invitation', 'reset') NOT NULL,
      expires_at datetime(3) NOT NULL,
      PRIMARY KEY (token_sha256),
      KEY user_links_user (user_id),
      KEY user_links_expiry (expires_at),
      CONSTRAINT user_links_user_exists FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE user_links');
  }
}
