import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The previous release leaves it NULL, which stands for `total`. */
export class AddAddressesCounted1795853001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE jobs ADD COLUMN addresses_counted int unsigned NULL AFTER total');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE jobs DROP COLUMN addresses_counted');
  }
}
