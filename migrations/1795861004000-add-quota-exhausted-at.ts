import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddQuotaExhaustedAt1795861004000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE decision_counts ADD COLUMN exhausted_at datetime(3) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE decision_counts DROP COLUMN exhausted_at');
  }
}
