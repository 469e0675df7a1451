import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateJobChunks1795829003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE job_chunks (
      job_id binary(16) NOT NULL,
      number int unsigned NOT NULL,
      group_name varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      kind enum('first', 'retry') NOT NULL,
      state enum('due', 'done') NOT NULL,
      priority int unsigned NOT NULL,
      due_at datetime(3) NOT NULL,
      queued_at datetime(3) NOT NULL,
      begun smallint unsigned NOT NULL DEFAULT 0,
      failures smallint unsigned NOT NULL DEFAULT 0,
      holder binary(16) NULL,
      egress varchar(600) CHARACTER SET ascii COLLATE ascii_bin NULL,
      PRIMARY KEY (job_id, number),
      KEY job_chunks_due (state, due_at),
      KEY job_chunks_turn (state, priority)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE job_chunks');
  }
}
