import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose turn a deferred probe takes. NULL: of a probe that the previous release has added. */
export class AddPendingProbeAccount1795853400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE pending_probes ADD COLUMN account_id binary(16) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE pending_probes DROP COLUMN account_id');
  }
}
