import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRefreshedLists1795831501000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE refreshed_lists (
      name varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      version int unsigned NOT NULL,
      entries int unsigned NOT NULL,
      content mediumblob NULL,
      content_hash binary(32) NULL,
      content_source binary(32) NULL,
      source varchar(300) NOT NULL,
      source_hash binary(32) NOT NULL,
      etag varchar(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
      changed_at datetime(3) NULL,
      confirmed_at datetime(3) NULL,
      tried_at datetime(3) NULL,
      refused_at datetime(3) NULL,
      refusal varchar(300) NULL,
      PRIMARY KEY (name)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE refreshed_lists');
  }
}
