import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateListParts1795854140000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE list_parts (
      list_id binary(16) NOT NULL,
      number smallint unsigned NOT NULL,
      job_id binary(16) NOT NULL,
      content binary(32) NOT NULL,
      total int unsigned NOT NULL,
      summary json NULL,
      PRIMARY KEY (list_id, number)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE list_parts');
  }
}
