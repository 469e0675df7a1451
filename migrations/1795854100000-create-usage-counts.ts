import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUsageCounts1795854100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE usage_counts (
      account_id binary(16) NOT NULL,
      day date NOT NULL,
      endpoint enum('single', 'batch', 'job') NOT NULL,
      key_id binary(16) NOT NULL,
      valid int unsigned NOT NULL,
      invalid int unsigned NOT NULL,
      catch_all int unsigned NOT NULL,
      disposable int unsigned NOT NULL,
      role int unsigned NOT NULL,
      unknown int unsigned NOT NULL,
      PRIMARY KEY (account_id, day, endpoint, key_id),
      KEY usage_counts_day (day)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE usage_counts');
  }
}
