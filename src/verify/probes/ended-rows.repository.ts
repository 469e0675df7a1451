import type { EntityManager } from 'typeorm';
import { statement, type Statement } from '../../platform/database/statement.js';

/** Longer than a call takes from its request of a probe to its charge. */
export const CHARGED_WITHIN_SECONDS = 60;

/**
 * Ends rows of probes with a verdict, in transactions that have locked them. A call may be charged after its probe has
 * ended, and is told then: while a call that asked is not charged, the row stays, for a minute.
 */
export const endedRows = {
  keeping: (ids: readonly Buffer[], now: string): Statement =>
    statement`UPDATE pending_probes SET active = NULL, ended_at = ${() => now} WHERE id IN (${ids})`,

  deleting: (ids: readonly Buffer[]): Statement => statement`DELETE FROM pending_probes WHERE id IN (${ids})`,
};

/** Whether a call that asked for the probe is not charged yet. Before its charges are forgotten. */
export async function isUncharged(transaction: EntityManager, id: Buffer): Promise<boolean> {
  const rows = await transaction.sql<unknown[]>`SELECT p.id FROM pending_probes p WHERE p.id = ${id}
    AND p.askers > (SELECT COUNT(DISTINCT w.reference) FROM waiting_charges w WHERE w.waits_on = p.id)`;
  return rows.length > 0;
}

/** Ends the row of one probe. */
export async function endRow(transaction: EntityManager, id: Buffer, now: string): Promise<void> {
  const isKept = await isUncharged(transaction, id);
  await (isKept ? endedRows.keeping([id], now) : endedRows.deleting([id])).run(transaction);
}
