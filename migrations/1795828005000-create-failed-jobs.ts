import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateFailedJobs1795828005000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE failed_jobs (
      id bigint unsigned NOT NULL AUTO_INCREMENT,
      queue varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      job_id varchar(255) NOT NULL,
      why varchar(200) NOT NULL,
      details json NULL,
      failed_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      KEY failed_jobs_queue (queue, failed_at),
      KEY failed_jobs_time (failed_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE failed_jobs');
  }
}
