import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateJobEntries1795829002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Ids of jobs are ordered by time: rows of a job lie together, new ones come at the end of the table, and those that
    // expire are at its beginning.
    await queryRunner.query(`CREATE TABLE job_entries (
      job_id binary(16) NOT NULL,
      position int unsigned NOT NULL,
      sent varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
      error enum('invalid_email', 'verify_unavailable') NULL,
      unit_price tinyint unsigned NOT NULL,
      chunk int unsigned NULL,
      facts json NULL,
      result mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
      PRIMARY KEY (job_id, position),
      KEY job_entries_chunk (job_id, chunk, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE job_entries');
  }
}
