import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLists1795854130000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE lists (
      id binary(16) NOT NULL,
      account_id binary(16) NOT NULL,
      name varchar(100) NOT NULL,
      file_name varchar(255) NULL,
      mode enum('standard', 'enhanced') NOT NULL,
      parts smallint unsigned NOT NULL,
      total int unsigned NOT NULL,
      created_by binary(16) NULL,
      created_at datetime(3) NOT NULL,
      expires_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      KEY lists_account (account_id, id),
      KEY lists_expiry (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE lists');
  }
}
