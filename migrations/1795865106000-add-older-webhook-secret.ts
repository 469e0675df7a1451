import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddOlderWebhookSecret1795865106000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_endpoints
      ADD COLUMN older_secret varbinary(255) NULL AFTER old_secret_until,
      ADD COLUMN older_secret_until datetime(3) NULL AFTER older_secret`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_endpoints DROP COLUMN older_secret_until, DROP COLUMN older_secret');
  }
}
