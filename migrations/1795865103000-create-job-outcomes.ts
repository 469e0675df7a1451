import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only chunks that list the positions of their entries have rows here. */
export class CreateJobOutcomes1795865103000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE job_outcomes (
      job_id binary(16) NOT NULL,
      chunk int unsigned NOT NULL,
      position int unsigned NOT NULL,
      outcomes mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
      PRIMARY KEY (job_id, chunk, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE job_outcomes');
  }
}
