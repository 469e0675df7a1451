import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The previous release leaves both NULL: no name, and counts that are not known. */
export class AddJobNames1795862101000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE jobs ADD COLUMN name varchar(100) NULL AFTER mode, ADD COLUMN counts json NULL AFTER completed_at',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE jobs DROP COLUMN counts, DROP COLUMN name');
  }
}
