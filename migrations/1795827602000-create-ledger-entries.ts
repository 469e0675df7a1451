import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLedgerEntries1795827602000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE ledger_entries (
      id bigint unsigned NOT NULL AUTO_INCREMENT,
      account_id binary(16) NOT NULL,
      kind enum('grant', 'charge', 'refund') NOT NULL,
      reference varchar(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      key_id binary(16) NULL,
      addresses int unsigned NOT NULL,
      unit_price int unsigned NULL,
      purchased bigint NOT NULL,
      gifted bigint NOT NULL,
      free_verifies int NOT NULL,
      month int unsigned NOT NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY ledger_entries_reference (reference),
      KEY ledger_entries_account (account_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ledger_entries');
  }
}
