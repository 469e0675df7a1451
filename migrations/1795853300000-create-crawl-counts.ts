import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCrawlCounts1795853300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE crawl_counts (
      account_id binary(16) NOT NULL,
      day date NOT NULL,
      used int unsigned NOT NULL,
      PRIMARY KEY (account_id, day),
      KEY crawl_counts_day (day)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE crawl_counts');
  }
}
