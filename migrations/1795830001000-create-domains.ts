import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDomains1795830001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE domains (
      domain varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      facts json NULL,
      judgement json NULL,
      open_parts varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
      attempts smallint unsigned NOT NULL DEFAULT 0,
      begun smallint unsigned NOT NULL DEFAULT 0,
      asked_at datetime(3) NOT NULL,
      crawled_at datetime(3) NULL,
      due_at datetime(3) NULL,
      queue_at datetime(3) NULL,
      PRIMARY KEY (domain),
      KEY domains_queue (queue_at),
      KEY domains_asked (asked_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE domains');
  }
}
