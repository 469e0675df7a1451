import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateJobs1795829001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE jobs (
      id binary(16) NOT NULL,
      account_id binary(16) NOT NULL,
      key_id binary(16) NOT NULL,
      sandbox tinyint(1) NOT NULL DEFAULT 0,
      mode enum('standard', 'enhanced') NOT NULL,
      status enum('processing', 'completed') NOT NULL,
      stage enum('new', 'planned', 'shaping', 'done') NOT NULL,
      total int unsigned NOT NULL,
      done int unsigned NOT NULL,
      begun smallint unsigned NOT NULL DEFAULT 0,
      created_at datetime(3) NOT NULL,
      completed_at datetime(3) NULL,
      expires_at datetime(3) NOT NULL,
      touched_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      KEY jobs_account (account_id, sandbox, id),
      KEY jobs_unfinished (status, touched_at),
      KEY jobs_expiry (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE jobs');
  }
}
