import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedSnapshot } from '../platform/database/retried-transaction.js';
import { appendAudit, type Actor } from '../platform/audit/audit-log.repository.js';
import { isDuplicateKey } from '../platform/database/database-errors.js';
import type { Plan } from './caller.js';
import { figuresToJson, PLAN_FIGURES } from './plan-figures.js';
import { PlanEntity } from './plan.entity.js';

/** The figures of a plan that change. */
export type PlanChange = Partial<Omit<Plan, 'name'>>;

/**
 * Plans. Every change writes to the audit log in the same transaction, and takes effect for the accounts that are on the plan.
 */
@Injectable()
export class PlanRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The smallest rate first. */
  list(): Promise<Plan[]> {
    return this.dataSource.getRepository(PlanEntity).find({ order: { requestsPerMinute: 'ASC', name: 'ASC' } });
  }

  /** Returns false if a plan has this name. */
  async insert(plan: Plan, actor: Actor): Promise<boolean> {
    try {
      await retriedSnapshot(this.dataSource, async (transaction) => {
        await transaction.insert(PlanEntity, plan);
        await append(transaction, actor, 'plan.create', plan.name, figuresToJson(plan));
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Returns the changed plan; null if there is none of this name. */
  update(name: string, change: PlanChange, actor: Actor): Promise<Plan | null> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const before = await transaction.findOne(PlanEntity, { where: { name }, lock: { mode: 'pessimistic_write' } });
      if (before === null) return null;
      const after = { ...before, ...change };
      const changed = PLAN_FIGURES.filter(({ field }) => before[field] !== after[field]);
      if (changed.length === 0) return after;
      await transaction.update(PlanEntity, { name: before.name }, change);
      const details = changed.flatMap(({ column, field }) => [
        [`${column}_before`, before[field]],
        [column, after[field]],
      ]);
      await append(transaction, actor, 'plan.set', before.name, Object.fromEntries(details));
      return after;
    });
  }
}

function append(
  transaction: EntityManager,
  actor: Actor,
  action: string,
  subject: string,
  details: Readonly<Record<string, number | null>>,
): Promise<void> {
  return appendAudit(transaction, { actor, action, accountId: null, subject, details });
}
