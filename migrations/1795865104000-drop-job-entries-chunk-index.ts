import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Chunks list their entries. What the previous release has planned is still found, by reading the entries of its job. */
export class DropJobEntriesChunkIndex1795865104000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE job_entries DROP INDEX job_entries_chunk');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE job_entries ADD INDEX job_entries_chunk (job_id, chunk, position)');
  }
}
