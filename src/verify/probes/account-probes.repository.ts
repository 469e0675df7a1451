import type { DataSource, EntityManager } from 'typeorm';
import type { AccountData } from '../../auth/deletion/account-data.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';

/** Calls whose charges wait on a probe. */
interface WaitingCalls {
  readonly own: number;
  readonly all: number;
}

const AT_ONCE = 200;

/**
 * Probes of a deleted account: deletes those that no other account waits for, and detaches the account from the others.
 */
export class AccountProbesRepository implements AccountData {
  constructor(private readonly dataSource: DataSource) {}

  async count(accountId: string): Promise<Readonly<Record<string, number>>> {
    const [row] = await this.dataSource.sql<{ n: string }[]>`
      SELECT COUNT(*) AS n FROM pending_probes WHERE account_id = ${idToBytes(accountId)} AND active = 1`;
    return { 'waiting probes': Number(row!.n) };
  }

  async erase(accountId: string): Promise<void> {
    const ids = await this.asked(accountId);
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE);
      await retriedTransaction(this.dataSource, (transaction) => eraseSome(transaction, idToBytes(accountId), some));
    }
  }

  /**
   * Probes that the account requested first, and those that its charges wait on: few charges wait, however large the
   * ledger.
   */
  private async asked(accountId: string): Promise<Buffer[]> {
    const account = idToBytes(accountId);
    const rows = await this.dataSource.sql<{ id: Buffer }[]>`
      SELECT id FROM pending_probes WHERE account_id = ${account} UNION
        SELECT w.waits_on AS id FROM waiting_charges w STRAIGHT_JOIN ledger_entries e ON e.reference = w.reference
          WHERE e.account_id = ${account}`;
    return rows.map(({ id }) => id);
  }
}

async function eraseSome(transaction: EntityManager, account: Buffer, ids: readonly Buffer[]): Promise<void> {
  const probes = await transaction.sql<{ id: Buffer; askers: number }[]>`
    SELECT id, askers FROM pending_probes FORCE INDEX (PRIMARY) WHERE id IN (${ids}) ORDER BY id FOR UPDATE`;
  const calls = await waitingCalls(transaction, account, ids);
  const isOwn = ({ id, askers }: (typeof probes)[number]): boolean => {
    const { own, all } = calls.get(idFromBytes(id)) ?? { own: 0, all: 0 };
    // Another account's uncharged call shows only in `askers`.
    return all === own && askers <= own;
  };
  const own = probes.filter(isOwn).map(({ id }) => id);
  if (own.length > 0) await transaction.sql`DELETE FROM pending_probes WHERE id IN (${own})`;
  await transaction.sql`UPDATE pending_probes SET account_id = NULL WHERE id IN (${ids}) AND account_id = ${account}`;
}

async function waitingCalls(
  transaction: EntityManager,
  account: Buffer,
  ids: readonly Buffer[],
): Promise<ReadonlyMap<string, WaitingCalls>> {
  const rows = await transaction.sql<{ waits_on: Buffer; own: string; calls: string }[]>`
    SELECT w.waits_on, COUNT(DISTINCT w.reference) AS calls,
        COUNT(DISTINCT IF(e.account_id = ${account}, w.reference, NULL)) AS own
      FROM waiting_charges w LEFT JOIN ledger_entries e ON e.reference = w.reference
      WHERE w.waits_on IN (${ids}) GROUP BY w.waits_on`;
  return new Map(
    rows.map(({ waits_on, own, calls }) => [idFromBytes(waits_on), { own: Number(own), all: Number(calls) }]),
  );
}
