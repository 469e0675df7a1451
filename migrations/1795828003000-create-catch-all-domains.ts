import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCatchAllDomains1795828003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE catch_all_domains (
      domain varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      checked_at datetime(3) NOT NULL,
      expires_at datetime(3) NOT NULL,
      PRIMARY KEY (domain),
      KEY catch_all_domains_expiry (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE catch_all_domains');
  }
}
