import type { DataSource, EntityManager } from 'typeorm';
import { appendAudit } from '../platform/audit/audit-log.repository.js';
import { isDuplicateKey } from '../platform/database/database-errors.js';
import type { Plan } from './caller.js';
import { figuresToJson, PLAN_FIGURES } from './plan-figures.js';

/** What a plan allows, as a query reads it from `plans p`. */
export const PLAN_COLUMNS = ['p.name AS plan', ...PLAN_FIGURES.map(({ column }) => `p.${column}`)].join(', ');

/** A row of `PLAN_COLUMNS`. NULL: unlimited. */
export interface PlanRow {
  readonly plan: string;
  readonly requests_per_minute: number;
  readonly free_verifies_per_month: number | null;
  readonly guard_decisions_per_month: number | null;
  readonly jobs_kept: number | null;
  readonly addresses_kept: number | null;
  readonly jobs_processing: number | null;
  readonly crawls_per_day: number | null;
}

/** Figures of a plan that are to be others. */
export type PlanChange = Partial<Omit<Plan, 'name'>>;

/** Plans. Every change is written to the audit log in its own transaction, and holds for the accounts that are on the plan. */
export class PlanRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The smallest rate first. */
  async list(): Promise<Plan[]> {
    const rows = await this.dataSource.query<PlanRow[]>(
      `SELECT ${PLAN_COLUMNS} FROM plans p ORDER BY p.requests_per_minute, p.name`,
    );
    return rows.map(toPlan);
  }

  /** False when a plan has this name. */
  async insert(plan: Plan, actor: string): Promise<boolean> {
    const columns = PLAN_FIGURES.map(({ column }) => column).join(', ');
    try {
      await this.dataSource.transaction(async (transaction) => {
        await transaction.query(`INSERT INTO plans (name, ${columns}) VALUES (?)`, [
          [plan.name, ...PLAN_FIGURES.map(({ field }) => plan[field])],
        ]);
        await append(transaction, actor, 'plan.create', plan.name, figuresToJson(plan));
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** The plan as it is now; null when there is none of this name. */
  update(name: string, change: PlanChange, actor: string): Promise<Plan | null> {
    return this.dataSource.transaction(async (transaction) => {
      const [row] = await transaction.query<PlanRow[]>(
        `SELECT ${PLAN_COLUMNS} FROM plans p WHERE p.name = ? FOR UPDATE`,
        [name],
      );
      if (row === undefined) return null;
      const before = toPlan(row);
      const after = { ...before, ...change };
      const changed = PLAN_FIGURES.filter(({ field }) => before[field] !== after[field]);
      if (changed.length === 0) return after;
      await transaction.query(
        `UPDATE plans SET ${changed.map(({ column }) => `${column} = ?`).join(', ')} WHERE name = ?`,
        [...changed.map(({ field }) => after[field]), before.name],
      );
      const details = changed.flatMap(({ column, field }) => [
        [`${column}_before`, before[field]],
        [column, after[field]],
      ]);
      await append(transaction, actor, 'plan.set', before.name, Object.fromEntries(details));
      return after;
    });
  }
}

export function toPlan(row: PlanRow): Plan {
  return {
    name: row.plan,
    requestsPerMinute: row.requests_per_minute,
    freeVerifiesPerMonth: row.free_verifies_per_month,
    guardDecisionsPerMonth: row.guard_decisions_per_month,
    jobsKept: row.jobs_kept,
    addressesKept: row.addresses_kept,
    jobsProcessing: row.jobs_processing,
    crawlsPerDay: row.crawls_per_day,
  };
}

function append(
  transaction: EntityManager,
  actor: string,
  action: string,
  subject: string,
  details: Readonly<Record<string, number | null>>,
): Promise<void> {
  return appendAudit(transaction, { actor, action, accountId: null, subject, details });
}
