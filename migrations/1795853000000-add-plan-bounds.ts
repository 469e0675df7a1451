import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bounds of what an account may keep and start. NULL is unlimited, and so it is from now on for free verifies and guard
 * decisions. No row gets a NULL there by this migration: the previous release, which takes it for none, runs on unchanged.
 */
export class AddPlanBounds1795853000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE plans
      MODIFY free_verifies_per_month int unsigned NULL,
      MODIFY guard_decisions_per_month int unsigned NULL,
      ADD COLUMN jobs_kept int unsigned NULL,
      ADD COLUMN addresses_kept int unsigned NULL,
      ADD COLUMN jobs_processing int unsigned NULL,
      ADD COLUMN crawls_per_day int unsigned NULL`);
    // Plans that an operator added stay without these bounds until somebody sets them.
    for (const [name, ...bounds] of [
      ['free', 20, 50_000, 2, 500],
      ['starter', 200, 500_000, 5, 5000],
      ['growth', 1000, 5_000_000, 20, 50_000],
      ['scale', 5000, 50_000_000, 100, 500_000],
    ]) {
      await queryRunner.query(
        `UPDATE plans SET jobs_kept = ?, addresses_kept = ?, jobs_processing = ?, crawls_per_day = ? WHERE name = ?`,
        [...bounds, name],
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'UPDATE plans SET free_verifies_per_month = 4294967295 WHERE free_verifies_per_month IS NULL',
    );
    await queryRunner.query(
      'UPDATE plans SET guard_decisions_per_month = 4294967295 WHERE guard_decisions_per_month IS NULL',
    );
    await queryRunner.query(`ALTER TABLE plans
      DROP COLUMN crawls_per_day,
      DROP COLUMN jobs_processing,
      DROP COLUMN addresses_kept,
      DROP COLUMN jobs_kept,
      MODIFY guard_decisions_per_month int unsigned NOT NULL,
      MODIFY free_verifies_per_month int unsigned NOT NULL`);
  }
}
