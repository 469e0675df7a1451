import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A release reads these rows before one writes them: the previous release finds results in `job_entries` alone. */
export class CreateJobResults1795865101000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE job_results (
      job_id binary(16) NOT NULL,
      position int unsigned NOT NULL,
      counts json NOT NULL,
      results mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
      PRIMARY KEY (job_id, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE job_results');
  }
}
