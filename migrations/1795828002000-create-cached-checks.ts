import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCachedChecks1795828002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE cached_checks (
      address_hmac binary(32) NOT NULL,
      hmac_key tinyint unsigned NOT NULL,
      domain varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      depth enum('dns', 'standard', 'enhanced') CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      facts json NOT NULL,
      engine_version smallint unsigned NOT NULL,
      checked_at datetime(3) NOT NULL,
      expires_at datetime(3) NOT NULL,
      PRIMARY KEY (address_hmac),
      KEY cached_checks_domain (domain),
      KEY cached_checks_expiry (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE cached_checks');
  }
}
