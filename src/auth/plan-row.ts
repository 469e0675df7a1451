import type { Plan } from './caller.js';
import { PLAN_FIGURES } from './plan-figures.js';

/** The columns of a plan for a raw query that selects from `plans p`. */
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
