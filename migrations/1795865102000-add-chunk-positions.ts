import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The previous release leaves it NULL: its entries name their chunk. A release reads positions before one writes them. */
export class AddChunkPositions1795865102000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE job_chunks ADD COLUMN positions mediumtext CHARACTER SET ascii COLLATE ascii_bin NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE job_chunks DROP COLUMN positions');
  }
}
