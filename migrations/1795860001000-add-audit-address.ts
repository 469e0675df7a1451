import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From which address a user of the console acted. NULL: an act from a shell. */
export class AddAuditAddress1795860001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE audit_log ADD COLUMN address varchar(45) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE audit_log DROP COLUMN address');
  }
}
