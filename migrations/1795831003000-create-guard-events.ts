import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateGuardEvents1795831003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Events of an account lie together, those of its sandbox apart, in the order they came: a report reads one range of the
    // table, and what comes is written at one place of it.
    await queryRunner.query(`CREATE TABLE guard_events (
      account_id binary(16) NOT NULL,
      sandbox tinyint(1) NOT NULL,
      at datetime(3) NOT NULL,
      id binary(16) NOT NULL,
      property_id binary(16) NULL,
      domain varchar(253) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
      verdict varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      action varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      source varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      degraded tinyint(1) NOT NULL,
      reasons json NOT NULL,
      integration varchar(64) NULL,
      lib_version varchar(64) NULL,
      spec_version varchar(64) NULL,
      PRIMARY KEY (account_id, sandbox, at, id),
      KEY guard_events_age (at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE guard_events');
  }
}
