import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCuratedEntries1795828006000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE curated_entries (
      kind enum('block', 'spam_trap', 'no_probe') NOT NULL,
      entry varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      label varchar(100) NULL,
      note varchar(500) NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (kind, entry)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE curated_entries');
  }
}
