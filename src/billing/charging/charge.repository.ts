import { NOW } from '../../platform/database/database-now.js';
import { isConnectionLost } from '../../platform/database/database-errors.js';
import { CommitUnknown } from '../../platform/database/retried-transaction.js';
import { isRefusedByServer, type PacketConnection } from '../../platform/database/packet-connection.js';
import { statement, type Statement } from '../../platform/database/statement.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import {
  addMissingBalance,
  BALANCE_COLUMNS,
  insertEntries,
  toFunds,
  toPayment,
  writeBalances,
  type BalanceRow,
  type NewEntry,
  type PaymentRow,
} from '../ledger/balance-rows.repository.js';
import { partReference, undoReference } from '../references.js';
import { deleteWaiting, insertWaiting, type WaitingRow } from '../pending-charges/waiting-rows.repository.js';
import type { AttemptOutcome, ChargeAttempt } from './charge.js';
import type { ChargeStore } from './charge-batcher.js';
import { settleGroup, type GroupSettlement, type LockedState } from './settle-group.js';

export interface ChargeRepositoryOptions {
  /** Skip accounts that another transaction has locked, or wait up to the session's lock timeout. */
  readonly whenHeld: 'skip' | 'wait';
  /** Hours to keep an answer. */
  readonly answerHours: number;
  /** SQL for the current time, UTC. */
  readonly now?: string;
  /** Called with the committed ledger rows. */
  readonly onEntries?: (entries: readonly NewEntry[]) => void;
}

/** Charges groups of calls, each group in one transaction of two packets (decisions 4.8). */
export class ChargeRepository implements ChargeStore {
  private readonly now: string;

  constructor(
    private readonly connection: PacketConnection,
    private readonly options: ChargeRepositoryOptions,
  ) {
    this.now = options.now ?? NOW;
  }

  /**
   * Charges the whole group in one transaction, committed when this resolves.
   * @returns the outcome of each attempt, in order
   * @throws CommitUnknown if the commit may have succeeded; any other error: nothing was written
   */
  async charge(attempts: readonly ChargeAttempt[]): Promise<AttemptOutcome[]> {
    try {
      const locked = await this.lock(attempts);
      const settlement = settleGroup(attempts, locked);
      await this.commit(locked.funds, settlement);
      this.options.onEntries?.(settlement.entries);
      return [...settlement.outcomes];
    } catch (error) {
      // A dead connection has already ended its transaction; close one whose state is in doubt.
      if (isRefusedByServer(error))
        await this.connection.send([{ sql: 'ROLLBACK' }], { continues: true }).catch(() => undefined);
      else this.connection.drop();
      throw error;
    }
  }

  /** Inserts missing balance rows, so that there is a row to lock. */
  async addMissingBalances(accountIds: readonly string[]): Promise<void> {
    for (const id of accountIds) await this.connection.send([addMissingBalance(id)]);
  }

  close(): void {
    this.connection.drop();
  }

  /** The first packet. Locks accounts in id order, then idempotency records: this order prevents deadlocks. */
  private async lock(attempts: readonly ChargeAttempt[]): Promise<LockedState> {
    const accounts = [...new Set(attempts.map(({ charge }) => charge.accountId))].toSorted().map(idToBytes);
    const records = attempts
      .flatMap(({ charge: { answer } }) => (answer === null ? [] : [answer.recordId]))
      .toSorted((a, b) => a - b);
    const references = attempts.flatMap(referencesOf);
    const skip = this.options.whenHeld === 'skip' ? ' SKIP LOCKED' : '';
    const statements = [
      statement`BEGIN`,
      statement`SELECT EXTRACT(YEAR_MONTH FROM ${() => this.now}) AS month`,
      // Without the index hint, MySQL scans a small table and locks every row.
      statement`SELECT ${() => BALANCE_COLUMNS} FROM account_balances FORCE INDEX (PRIMARY)
        WHERE account_id IN (${accounts}) ORDER BY account_id FOR UPDATE${() => skip}`,
    ];
    // Separate statements, after the locks: for the locked accounts, these reads are final.
    if (references.length > 0) {
      statements.push(statement`SELECT reference, -purchased AS purchased, -gifted AS gifted,
        -free_verifies AS free_verifies, month FROM ledger_entries WHERE reference IN (${references})`);
    }
    if (records.length > 0) {
      statements.push(statement`SELECT id, lease FROM idempotency_records FORCE INDEX (PRIMARY)
        WHERE id IN (${records}) AND status IS NULL ORDER BY id FOR UPDATE`);
    }
    const [, months, balances, ...rest] = (await this.connection.send(statements)) as [
      unknown,
      { month: number }[],
      BalanceRow[],
      ...unknown[][],
    ];
    const standing = references.length > 0 ? (rest.shift() as (PaymentRow & { reference: string })[]) : [];
    const leases = records.length > 0 ? (rest.shift() as { id: number; lease: Buffer }[]) : [];
    return {
      month: months[0]!.month,
      funds: new Map(balances.map((row) => [idFromBytes(row.account_id), toFunds(row)])),
      standing: new Map(standing.map((row) => [row.reference, toPayment(row)])),
      leases: new Map(leases.map(({ id, lease }) => [id, lease])),
    };
  }

  /** The second packet: all writes, with COMMIT as the last statement. */
  private async commit(before: LockedState['funds'], settlement: GroupSettlement): Promise<void> {
    try {
      await this.connection.send([...this.writing(before, settlement), { sql: 'COMMIT' }], { continues: true });
    } catch (error) {
      // A server that shuts down may report an error for a COMMIT it has carried out.
      if (isRefusedByServer(error) && !isConnectionLost(error)) throw error;
      throw new CommitUnknown(error);
    }
  }

  private *writing(
    before: LockedState['funds'],
    { entries, changed, answers, waiting, unawaited }: GroupSettlement,
  ): Iterable<Statement> {
    // Delete before inserting, in key order: the transaction that handles an ended probe locks in the same order.
    for (const row of unawaited.toSorted(byKey)) yield deleteWaiting(row);
    yield* writeBalances(before, changed);
    if (entries.length > 0) yield insertEntries(entries, this.now);
    if (waiting.length > 0) yield insertWaiting(waiting, this.now);
    for (const { recordId, status, headers, body } of answers) {
      yield statement`UPDATE idempotency_records SET status = ${status}, headers = ${headers && JSON.stringify(headers)},
        body = ${body}, expires_at = ${() => this.now} + INTERVAL ${this.options.answerHours} HOUR WHERE id = ${recordId}`;
    }
  }
}

/** References of the ledger rows that show the outcome of an earlier try. */
function referencesOf({ charge, mayStand, intent }: ChargeAttempt): string[] {
  if (!mayStand) return [];
  const parts = intent === 'undo' ? (charge.waiting ?? []) : [];
  return [charge.reference, undoReference(charge), ...parts.map(({ part }) => partReference(charge, part))];
}

function byKey(a: WaitingRow, b: WaitingRow): number {
  return `${a.waitsOn} ${a.reference}` < `${b.waitsOn} ${b.reference}` ? -1 : 1;
}
