import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateMemberships1795860004000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE memberships (
      user_id binary(16) NOT NULL,
      account_id binary(16) NOT NULL,
      role enum('viewer', 'member', 'developer', 'owner') NOT NULL,
      created_at datetime(3) NOT NULL,
      PRIMARY KEY (user_id, account_id),
      KEY memberships_account (account_id),
      CONSTRAINT memberships_user_exists FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE NO ACTION,
      CONSTRAINT memberships_account_exists FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE memberships');
  }
}
