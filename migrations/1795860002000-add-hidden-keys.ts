import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key to which an account's calls from the console are charged: nobody has it, and no list shows it. */
export class AddHiddenKeys1795860002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys ADD COLUMN hidden tinyint NOT NULL DEFAULT 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN hidden');
  }
}
