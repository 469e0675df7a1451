import type { Plan } from './caller.js';
import { PLAN_FIGURES } from './plan-figures.js';

/** The columns of a plan for a raw query that selects from `plans p`. */
export const PLAN_COLUMNS = [
  'p.name AS plan',
  ...PLAN_FIGURES.map(({ column, field }) => `p.${column} AS ${field}`),
].join(', ');

/** A row of `PLAN_COLUMNS`. NULL: unlimited. */
export type PlanRow = Omit<Plan, 'name'> & { readonly plan: string };

export function toPlan(row: PlanRow): Plan {
  return {
    name: row.plan,
    requestsPerMinute: row.requestsPerMinute,
    freeVerifiesPerMonth: row.freeVerifiesPerMonth,
    guardDecisionsPerMonth: row.guardDecisionsPerMonth,
    jobsKept: row.jobsKept,
    addressesKept: row.addressesKept,
    jobsProcessing: row.jobsProcessing,
    crawlsPerDay: row.crawlsPerDay,
  };
}
