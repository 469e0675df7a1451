import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRecoveryCodes1795860007000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE recovery_codes (
      user_id binary(16) NOT NULL,
      code_sha256 binary(32) NOT NULL,
      PRIMARY KEY (user_id, code_sha256),
      CONSTRAINT recovery_codes_user_exists FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE recovery_codes');
  }
}
