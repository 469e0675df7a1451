import type { DataSource, EntityManager } from 'typeorm';
import type { AccountData } from '../../auth/deletion/account-data.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { deleteWaiting } from '../pending-charges/waiting-rows.repository.js';
import type { LedgerClosingRepository } from './ledger-closing.repository.js';

const AT_ONCE = 1000;

/** Reduces the ledger of a deleted account to one closing per month, without keys or references (decisions 4.5). */
export class AccountLedgerRepository implements AccountData {
  constructor(
    private readonly dataSource: DataSource,
    private readonly closings: Pick<LedgerClosingRepository, 'closeAllWithin'>,
  ) {}

  async count(accountId: string): Promise<Readonly<Record<string, number>>> {
    const id = idToBytes(accountId);
    const [row] = await this.dataSource.sql<{ entries: string; credits: string | null }[]>`
      SELECT COUNT(*) AS entries, (SELECT purchased + gifted FROM account_balances WHERE account_id = ${id}) AS credits
        FROM ledger_entries WHERE account_id = ${id}`;
    return { 'unspent credits': Number(row!.credits ?? 0), 'ledger entries': Number(row!.entries) };
  }

  /** Deletes the balance first: without it nothing can be charged or refunded, so the closings are final. */
  async eraseWithin(transaction: EntityManager, accountId: string): Promise<void> {
    await this.closings.closeAllWithin(transaction, accountId);
    await transaction.sql`DELETE FROM account_balances WHERE account_id = ${idToBytes(accountId)}`;
  }

  /** Deletes waiting charges before ledger rows: only those rows link them to the account. */
  async eraseAfter(accountId: string): Promise<void> {
    const account = idToBytes(accountId);
    while (await this.eraseWaiting(account));
    while (await this.eraseEntries(account));
  }

  /** Reads the waiting charges first: they are few compared with the ledger. */
  private async eraseWaiting(account: Buffer): Promise<boolean> {
    const rows = await this.dataSource.sql<{ waits_on: Buffer; reference: string }[]>`
      SELECT DISTINCT w.waits_on, w.reference FROM waiting_charges w STRAIGHT_JOIN ledger_entries e
        ON e.reference = w.reference WHERE e.account_id = ${account} ORDER BY w.waits_on, w.reference LIMIT ${AT_ONCE}`;
    await retriedTransaction(this.dataSource, async (transaction) => {
      for (const { waits_on, reference } of rows) {
        await deleteWaiting({ waitsOn: idFromBytes(waits_on), reference }).run(transaction);
      }
    });
    return rows.length === AT_ONCE;
  }

  private async eraseEntries(account: Buffer): Promise<boolean> {
    const rows = await this.dataSource.sql<{ id: string }[]>`
      SELECT id FROM ledger_entries WHERE account_id = ${account} ORDER BY id LIMIT ${AT_ONCE}`;
    if (rows.length > 0) {
      const ids = rows.map(({ id }) => id);
      await retriedTransaction(this.dataSource, async (transaction) => {
        await transaction.sql`DELETE e FROM ledger_entries AS e FORCE INDEX (PRIMARY) WHERE e.id IN (${ids})`;
      });
    }
    return rows.length === AT_ONCE;
  }
}
