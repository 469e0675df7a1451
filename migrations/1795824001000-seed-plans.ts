import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SeedPlans1795824001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`INSERT INTO plans
      (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month) VALUES
      ('free', 60, 100, 1000),
      ('starter', 300, 10000, 25000),
      ('growth', 1200, 10000, 250000),
      ('scale', 6000, 10000, 2500000)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM plans WHERE name IN ('free', 'starter', 'growth', 'scale')`);
  }
}
