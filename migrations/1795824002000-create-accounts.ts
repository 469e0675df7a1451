import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccounts1795824002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE accounts (
      id binary(16) NOT NULL,
      name varchar(100) NOT NULL,
      plan varchar(32) NOT NULL,
      suspended_at datetime(3) NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      KEY accounts_plan (plan),
      CONSTRAINT accounts_plan_exists FOREIGN KEY (plan) REFERENCES plans (name) ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE accounts');
  }
}
