import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCuratedVersions1795828006500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE curated_versions (
      kind enum('block', 'spam_trap', 'no_probe') NOT NULL,
      version int unsigned NOT NULL,
      PRIMARY KEY (kind)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
    await queryRunner.query(
      `INSERT INTO curated_versions (kind, version) VALUES ('block', 0), ('spam_trap', 0), ('no_probe', 0)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE curated_versions');
  }
}
