import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedSnapshot } from '../platform/database/retried-transaction.js';
import { appendAudit, type Actor } from '../platform/audit/audit-log.repository.js';
import { databaseNow } from '../platform/database/database-now.js';
import { AccountEntity } from './account.entity.js';
import type { Plan } from './caller.js';
import { PlanEntity } from './plan.entity.js';

export interface Account extends Readonly<Omit<AccountEntity, 'plan' | 'planName'>> {
  readonly plan: Plan;
}

/** A write in the transaction that makes an account. */
export type WithNewAccount = (transaction: EntityManager, accountId: string) => Promise<void>;

/** Rejects, in the transaction that would add a row to an account, if the account has no room for it. */
export type RequireRoom = (transaction: EntityManager) => Promise<void>;

/** Accounts and their plans. Every change writes to the audit log in the same transaction. */
@Injectable()
export class AccountRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns false if there is no such plan.
   * @param also runs in the transaction that makes the account
   */
  insert(account: { id: string; name: string; plan: string }, actor: Actor, also?: WithNewAccount): Promise<boolean> {
    const { id, name } = account;
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const plan = await transaction.findOneBy(PlanEntity, { name: account.plan });
      if (plan === null) return false;
      await transaction.insert(AccountEntity, { id, name, planName: plan.name, createdAt: databaseNow });
      await appendAudit(transaction, {
        actor,
        action: 'account.create',
        accountId: id,
        subject: null,
        details: { plan: plan.name },
      });
      await also?.(transaction, id);
      return true;
    });
  }

  findById(id: string): Promise<Account | null> {
    return this.dataSource.getRepository(AccountEntity).findOne({ where: { id }, relations: { plan: true } });
  }

  /** All accounts, oldest first. */
  list(): Promise<Account[]> {
    return this.dataSource.getRepository(AccountEntity).find({ relations: { plan: true }, order: { id: 'ASC' } });
  }

  /** Cheapest first. */
  async planNames(): Promise<string[]> {
    const plans = await this.dataSource.getRepository(PlanEntity).find({ order: { requestsPerMinute: 'ASC' } });
    return plans.map(({ name }) => name);
  }

  setPlan(id: string, plan: string, actor: Actor): Promise<'changed' | 'unknown_account' | 'unknown_plan'> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const account = await lockAccount(transaction, id);
      if (account === null) return 'unknown_account';
      const known = await transaction.findOneBy(PlanEntity, { name: plan });
      if (known === null) return 'unknown_plan';
      await transaction.update(AccountEntity, { id }, { planName: known.name });
      const details = { from: account.planName, to: known.name };
      await appendAudit(transaction, { actor, action: 'account.set-plan', accountId: id, subject: null, details });
      return 'changed';
    });
  }

  /** Suspends or resumes an account. A second call changes nothing. Returns false if there is no such account. */
  setSuspended(id: string, suspended: boolean, actor: Actor): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const account = await lockAccount(transaction, id);
      if (account === null) return false;
      if ((account.suspendedAt !== null) === suspended) return true;
      await transaction.update(AccountEntity, { id }, { suspendedAt: suspended ? databaseNow : null });
      const action = suspended ? 'account.suspend' : 'account.resume';
      await appendAudit(transaction, { actor, action, accountId: id, subject: null });
      return true;
    });
  }
}

/** Locks an account's row until the transaction ends. Returns null if there is no such account. */
export function lockAccount(transaction: EntityManager, id: string): Promise<AccountEntity | null> {
  // Not `pessimistic_read`: TypeORM writes it as FOR SHARE, which MariaDB does not know.
  return transaction.findOne(AccountEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
}
