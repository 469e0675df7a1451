import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDecisionCounts1795831001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE decision_counts (
      account_id binary(16) NOT NULL,
      month int unsigned NOT NULL,
      used int unsigned NOT NULL,
      PRIMARY KEY (account_id, month)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE decision_counts');
  }
}
