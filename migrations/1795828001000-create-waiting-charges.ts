import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateWaitingCharges1795828001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE waiting_charges (
      waits_on binary(16) NOT NULL,
      reference varchar(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      part varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      credits int unsigned NOT NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (waits_on, reference, part)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE waiting_charges');
  }
}
