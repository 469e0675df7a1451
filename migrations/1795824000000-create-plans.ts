import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePlans1795824000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE plans (
      name varchar(32) NOT NULL,
      requests_per_minute int unsigned NOT NULL,
      free_verifies_per_month int unsigned NOT NULL,
      guard_decisions_per_month int unsigned NOT NULL,
      PRIMARY KEY (name)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE plans');
  }
}
