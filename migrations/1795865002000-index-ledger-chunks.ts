import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A page of the statement finds its chunks by row and by time, wherever in a long ledger they are. */
export class IndexLedgerChunks1795865002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE ledger_chunks
        ADD INDEX ledger_chunks_rows (account_id, from_id),
        ADD INDEX ledger_chunks_times (account_id, first_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE ledger_chunks DROP INDEX ledger_chunks_rows, DROP INDEX ledger_chunks_times');
  }
}
