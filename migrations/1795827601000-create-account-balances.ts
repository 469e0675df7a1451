import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccountBalances1795827601000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE account_balances (
      account_id binary(16) NOT NULL,
      purchased bigint unsigned NOT NULL,
      gifted bigint unsigned NOT NULL,
      month int unsigned NOT NULL,
      free_verifies_used int unsigned NOT NULL,
      PRIMARY KEY (account_id),
      CONSTRAINT account_balances_account_exists FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE account_balances');
  }
}
