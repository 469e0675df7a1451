import type { Plan } from './caller.js';

type Field = Exclude<keyof Plan, 'name'>;

interface Figure {
  readonly field: Field;
  /** Column of `plans`, and name in JSON. */
  readonly column: string;
  /** Option of `plan create|set`. */
  readonly flag: string;
  /** Label in text output. */
  readonly label: string;
  readonly description: string;
}

/** Every limit of a plan, in display order. */
export const PLAN_FIGURES = [
  {
    field: 'requestsPerMinute',
    column: 'requests_per_minute',
    flag: 'rate',
    label: 'requests/min',
    description: 'requests a minute of a key',
  },
  {
    field: 'freeVerifiesPerMonth',
    column: 'free_verifies_per_month',
    flag: 'free',
    label: 'free verifies/month',
    description: 'free verifies a month, or unlimited',
  },
  {
    field: 'guardDecisionsPerMonth',
    column: 'guard_decisions_per_month',
    flag: 'guard',
    label: 'guard decisions/month',
    description: 'remote decisions of guards a month, or unlimited',
  },
  {
    field: 'jobsKept',
    column: 'jobs_kept',
    flag: 'jobs',
    label: 'jobs kept',
    description: 'jobs kept, completed ones included, or unlimited',
  },
  {
    field: 'addressesKept',
    column: 'addresses_kept',
    flag: 'kept',
    label: 'addresses kept',
    description: 'addresses kept in jobs, or unlimited',
  },
  {
    field: 'jobsProcessing',
    column: 'jobs_processing',
    flag: 'processing',
    label: 'jobs processing',
    description: 'jobs processing at once, or unlimited',
  },
  {
    field: 'crawlsPerDay',
    column: 'crawls_per_day',
    flag: 'crawls',
    label: 'crawls/day',
    description: 'new domains crawled a day, or unlimited',
  },
] as const satisfies readonly Figure[];

/** Default limits of a new plan: those of `free`. */
export const LEAST_PLAN: Omit<Plan, 'name' | 'requestsPerMinute'> = {
  freeVerifiesPerMonth: 100,
  guardDecisionsPerMonth: 1000,
  jobsKept: 20,
  addressesKept: 50_000,
  jobsProcessing: 2,
  crawlsPerDay: 500,
};

/** The limits as JSON; null: unlimited. */
export function figuresToJson(plan: Plan): Record<string, number | null> {
  return Object.fromEntries(PLAN_FIGURES.map(({ column, field }) => [column, plan[field]]));
}

/** The limits as text, by label. */
export function figuresToText(plan: Plan): Record<string, number | string> {
  return Object.fromEntries(PLAN_FIGURES.map(({ label, field }) => [label, plan[field] ?? 'unlimited']));
}
