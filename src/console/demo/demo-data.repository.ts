import type { DataSource, EntityManager } from 'typeorm';
import { LedgerRepository } from '../../billing/ledger/ledger.repository.js';
import { NOW } from '../../platform/database/database-now.js';
import { appendAudit } from '../../platform/audit/audit-log.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes, newId } from '../../platform/ids/uuid.js';
import type { DemoCall } from './demo-history.js';
import { sqlValue } from '../../platform/database/statement.js';

/** A completed list of the demo: one part, all of it answered. */
export interface DemoList {
  readonly id: string;
  readonly jobId: string;
  readonly keyId: string;
  readonly name: string;
  /** Addresses as they were sent, with the JSON text of their results. */
  readonly entries: readonly { readonly sent: string; readonly result: string }[];
  readonly hoursAgo: number;
}

const ROWS = 500;
const KEPT_DAYS = 7;

/** Writes a made-up history. Its references say `demo`, and its books balance. */
export class DemoDataRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Grants credits and spends most of them over the last month, in one transaction. Ledger rows are in the order of time.
   * @param keyIds by the index that calls have
   * @returns false: the account has its demo data already
   */
  ledger(accountId: string, calls: readonly DemoCall[], keyIds: readonly string[], actor: string): Promise<boolean> {
    const spent = calls.reduce((sum, { addresses, refunded }) => sum + addresses - refunded, 0);
    return retriedTransaction(this.dataSource, async (transaction) => {
      const grant = { accountId, credits: spent * 2, kind: 'purchased', reference: referenceOf(accountId) } as const;
      const before = timeOf((calls[0]?.daysAgo ?? 0) + 1, 0);
      const outcome = await new LedgerRepository(this.dataSource, before).grantWithin(transaction, grant, actor);
      if (outcome.kind !== 'granted') return false;
      await insertCalls(transaction, accountId, calls, keyIds);
      await transaction.sql`
        UPDATE account_balances SET purchased = purchased - ${spent} WHERE account_id = ${idToBytes(accountId)}`;
      await appendAudit(transaction, {
        actor,
        action: 'demo-data.create',
        accountId,
        subject: null,
        details: { credits: spent * 2 },
      });
      return true;
    });
  }

  /** Whether the account has its demo data already. */
  async exists(accountId: string): Promise<boolean> {
    const rows = await this.dataSource.sql<unknown[]>`
      SELECT id FROM ledger_entries WHERE reference = ${referenceOf(accountId)}`;
    return rows.length > 0;
  }

  /** A list whose job is completed, with its charge. */
  async list(accountId: string, list: DemoList): Promise<void> {
    const [id, job, account] = [list.id, list.jobId, accountId].map(idToBytes) as [Buffer, Buffer, Buffer];
    const total = list.entries.length;
    const at = `${NOW} - INTERVAL ${list.hoursAgo} HOUR`;
    await retriedTransaction(this.dataSource, async (transaction) => {
      await transaction.sql`
        INSERT INTO lists (id, account_id, name, file_name, mode, parts, total, created_by, created_at, expires_at)
          VALUES (${id}, ${account}, ${list.name}, ${`${list.name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.csv`},
            'standard', 1, ${total}, NULL, ${() => at}, ${() => at} + INTERVAL ${KEPT_DAYS} DAY)`;
      await transaction.sql`
        INSERT INTO jobs (id, account_id, key_id, sandbox, mode, status, stage, total, addresses_counted, done,
          created_at, completed_at, expires_at, touched_at)
            VALUES (${job}, ${account}, ${idToBytes(list.keyId)}, 0, 'standard', 'completed', 'done', ${total},
            ${total}, ${total}, ${() => at}, ${() => at} + INTERVAL 40 SECOND,
              ${() => at} + INTERVAL ${KEPT_DAYS} DAY, ${() => at})`;
      for (let from = 0; from < total; from += ROWS) {
        const rows = list.entries
          .slice(from, from + ROWS)
          .map(({ sent, result }, i) => [job, from + i, sent, 1, result]);
        await transaction.sql`INSERT INTO job_entries (job_id, position, sent, unit_price, result) VALUES ${rows}`;
      }
      await transaction.sql`
        INSERT INTO list_parts (list_id, number, job_id, content, total)
          VALUES (${id}, 1, ${job}, ${Buffer.alloc(32)}, ${total})`;
      await new LedgerRepository(this.dataSource).chargeWithin(transaction, {
        accountId,
        keyId: list.keyId,
        reference: `job:${list.jobId}`,
        price: { addresses: total, credits: total, unitPrice: 1 },
        freeVerifiesPerMonth: 0,
      });
    });
  }
}

async function insertCalls(
  transaction: EntityManager,
  accountId: string,
  calls: readonly DemoCall[],
  keyIds: readonly string[],
): Promise<void> {
  const account = idToBytes(accountId);
  const rows = calls.flatMap(({ daysAgo, secondOfDay, endpoint, key, addresses, refunded }) => {
    const reference = `${endpoint}:demo-${newId()}`;
    const keyId = idToBytes(keyIds[key]!);
    const at = timeOf(daysAgo, secondOfDay);
    const rest = [0, 0, sqlValue(`EXTRACT(YEAR_MONTH FROM ${at})`), sqlValue(at)];
    return [
      [account, 'charge', reference, keyId, addresses, 1, -addresses, ...rest],
      ...Array.from({ length: refunded }, (_, i) => [account, 'refund', `${reference}:${i}`, keyId, 1, 1, 1, ...rest]),
    ];
  });
  for (let from = 0; from < rows.length; from += ROWS) {
    await transaction.sql`
      INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased, gifted,
        free_verifies, month, created_at) VALUES ${rows.slice(from, from + ROWS)}`;
  }
}

function referenceOf(accountId: string): string {
  return `demo:${accountId}`;
}

function timeOf(daysAgo: number, secondOfDay: number): string {
  return `UTC_DATE() - INTERVAL ${daysAgo} DAY + INTERVAL ${secondOfDay} SECOND`;
}
