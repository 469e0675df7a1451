import type { DataSource, EntityManager } from 'typeorm';
import { appendAudit } from '../platform/audit/audit-log.repository.js';
import { idFromBytes, idToBytes } from '../platform/ids/uuid.js';
import type { Plan } from './caller.js';
import { PLAN_COLUMNS, toPlan, type PlanRow } from './plan.repository.js';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Set: none of its keys is in force. */
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
}

/** What stands with a new account or not at all. */
export type WithNewAccount = (transaction: EntityManager, accountId: string) => Promise<void>;

interface AccountRow extends PlanRow {
  id: Buffer;
  name: string;
  suspended_at: Date | null;
  created_at: Date;
}

const SELECT = `SELECT a.id, a.name, a.suspended_at, a.created_at,
    ${PLAN_COLUMNS}
  FROM accounts a JOIN plans p ON p.name = a.plan`;

/** Accounts and the plans they are on. Every change is written to the audit log in its own transaction. */
export class AccountRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * False when there is no such plan.
   * @param also done in the transaction that makes the account
   */
  insert(account: { id: string; name: string; plan: string }, actor: string, also?: WithNewAccount): Promise<boolean> {
    const { id, name, plan } = account;
    return this.dataSource.transaction(async (transaction) => {
      const { affectedRows } = await transaction.query(
        `INSERT INTO accounts (id, name, plan, created_at) SELECT ?, ?, p.name, UTC_TIMESTAMP(3) FROM plans p WHERE p.name = ?`,
        [idToBytes(id), name, plan],
      );
      if (affectedRows === 0) return false;
      await appendAudit(transaction, {
        actor,
        action: 'account.create',
        accountId: id,
        subject: null,
        details: { plan },
      });
      await also?.(transaction, id);
      return true;
    });
  }

  async findById(id: string): Promise<Account | null> {
    const [row] = await this.dataSource.query<AccountRow[]>(`${SELECT} WHERE a.id = ?`, [idToBytes(id)]);
    return row === undefined ? null : toAccount(row);
  }

  /** All of them, oldest first. */
  async list(): Promise<Account[]> {
    const rows = await this.dataSource.query<AccountRow[]>(`${SELECT} ORDER BY a.id`);
    return rows.map(toAccount);
  }

  /** Cheapest first. */
  async planNames(): Promise<string[]> {
    const rows = await this.dataSource.query<{ name: string }[]>('SELECT name FROM plans ORDER BY requests_per_minute');
    return rows.map(({ name }) => name);
  }

  setPlan(id: string, plan: string, actor: string): Promise<'changed' | 'unknown_account' | 'unknown_plan'> {
    return this.dataSource.transaction(async (transaction) => {
      const locked = await lock(transaction, id);
      if (locked === null) return 'unknown_account';
      const [known] = await transaction.query<{ name: string }[]>('SELECT name FROM plans WHERE name = ?', [plan]);
      if (known === undefined) return 'unknown_plan';
      await transaction.query('UPDATE accounts SET plan = ? WHERE id = ?', [known.name, idToBytes(id)]);
      const details = { from: locked.plan, to: known.name };
      await appendAudit(transaction, { actor, action: 'account.set-plan', accountId: id, subject: null, details });
      return 'changed';
    });
  }

  /** Suspends or resumes; doing it twice is doing it once. False when there is no such account. */
  setSuspended(id: string, suspended: boolean, actor: string): Promise<boolean> {
    return this.dataSource.transaction(async (transaction) => {
      const locked = await lock(transaction, id);
      if (locked === null) return false;
      if ((locked.suspended_at !== null) === suspended) return true;
      await transaction.query(
        `UPDATE accounts SET suspended_at = ${suspended ? 'UTC_TIMESTAMP(3)' : 'NULL'} WHERE id = ?`,
        [idToBytes(id)],
      );
      const action = suspended ? 'account.suspend' : 'account.resume';
      await appendAudit(transaction, { actor, action, accountId: id, subject: null });
      return true;
    });
  }
}

async function lock(
  transaction: EntityManager,
  id: string,
): Promise<{ plan: string; suspended_at: Date | null } | null> {
  const [row] = await transaction.query<{ plan: string; suspended_at: Date | null }[]>(
    'SELECT plan, suspended_at FROM accounts WHERE id = ? FOR UPDATE',
    [idToBytes(id)],
  );
  return row ?? null;
}

function toAccount(row: AccountRow): Account {
  return {
    id: idFromBytes(row.id),
    name: row.name,
    plan: toPlan(row),
    suspendedAt: row.suspended_at,
    createdAt: row.created_at,
  };
}
