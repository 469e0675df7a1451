import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateProperties1795831002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE properties (
      id binary(16) NOT NULL,
      account_id binary(16) NOT NULL,
      property_key varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      name varchar(100) NOT NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY properties_key (property_key),
      KEY properties_account (account_id),
      CONSTRAINT properties_account_exists FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE properties');
  }
}
