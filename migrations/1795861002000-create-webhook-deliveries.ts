import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateWebhookDeliveries1795861002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE webhook_deliveries (
      id binary(16) NOT NULL,
      endpoint_id binary(16) NOT NULL,
      account_id binary(16) NOT NULL,
      type varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      body mediumblob NULL,
      state enum('due', 'delivered', 'failed') NOT NULL DEFAULT 'due',
      attempts smallint unsigned NOT NULL DEFAULT 0,
      due_at datetime(3) NOT NULL,
      sending_until datetime(3) NULL,
      status smallint unsigned NULL,
      fault varchar(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
      answer blob NULL,
      took_ms int unsigned NULL,
      attempted_at datetime(3) NULL,
      created_at datetime(3) NOT NULL,
      ended_at datetime(3) NULL,
      purge_at datetime(3) NULL,
      PRIMARY KEY (id),
      KEY webhook_deliveries_due (endpoint_id, state, due_at),
      KEY webhook_deliveries_list (endpoint_id, id),
      KEY webhook_deliveries_sending (account_id, sending_until),
      KEY webhook_deliveries_purge (purge_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE webhook_deliveries');
  }
}
