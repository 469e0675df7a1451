import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdempotencyRecords1795827604000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE idempotency_records (
      id bigint unsigned NOT NULL AUTO_INCREMENT,
      scope_sha256 binary(32) NOT NULL,
      account_id binary(16) NOT NULL,
      request_sha256 binary(32) NOT NULL,
      lease binary(16) NOT NULL,
      status smallint unsigned NULL,
      headers json NULL,
      body mediumblob NULL,
      expires_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY idempotency_records_scope (scope_sha256),
      KEY idempotency_records_expiry (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotency_records');
  }
}
