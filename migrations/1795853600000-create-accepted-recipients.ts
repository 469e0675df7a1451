import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAcceptedRecipients1795853600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE accepted_recipients (
      domain varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      host varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      egress varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
      accepted_at datetime(3) NOT NULL,
      PRIMARY KEY (domain, host, egress),
      KEY accepted_recipients_age (accepted_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE accepted_recipients');
  }
}
