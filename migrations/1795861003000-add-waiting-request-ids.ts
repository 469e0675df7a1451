import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddWaitingRequestIds1795861003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE waiting_charges ADD COLUMN request_id varchar(128) CHARACTER SET ascii COLLATE ascii_bin NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE waiting_charges DROP COLUMN request_id');
  }
}
