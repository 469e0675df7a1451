import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePendingProbes1795828004000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // `active` is 1 or NULL, so that an address has one probe at a time and any number that have ended.
    await queryRunner.query(`CREATE TABLE pending_probes (
      id binary(16) NOT NULL,
      address_hmac binary(32) NOT NULL,
      active tinyint unsigned NULL,
      domain varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      sealed_address varbinary(1600) NULL,
      mode enum('standard', 'enhanced') NOT NULL,
      urgency enum('single', 'batch') NOT NULL,
      state enum('due', 'greylisted', 'failed') NOT NULL,
      egress varchar(600) CHARACTER SET ascii COLLATE ascii_bin NULL,
      askers smallint unsigned NOT NULL,
      begun smallint unsigned NOT NULL DEFAULT 0,
      failures smallint unsigned NOT NULL DEFAULT 0,
      newer_than datetime(3) NULL,
      requested_at datetime(3) NOT NULL,
      due_at datetime(3) NOT NULL,
      queue_at datetime(3) NOT NULL,
      end_by datetime(3) NOT NULL,
      ended_at datetime(3) NULL,
      why varchar(200) NULL,
      PRIMARY KEY (id),
      UNIQUE KEY pending_probes_address (address_hmac, active),
      KEY pending_probes_queue (active, queue_at),
      KEY pending_probes_end (active, end_by),
      KEY pending_probes_ended (ended_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE pending_probes');
  }
}
