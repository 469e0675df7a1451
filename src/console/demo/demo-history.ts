import type { MeteredKind } from '../../billing/metering/metered-kind.js';
import { RESULTS, type Result } from '../../engine/verdict/result.js';
import { groupBy } from '../../platform/collections/group-by.js';
import { zeros } from '../../platform/collections/zeros.js';

/** A call of the made-up history. */
export interface DemoCall {
  readonly daysAgo: number;
  /** Of the day, UTC. */
  readonly secondOfDay: number;
  readonly endpoint: MeteredKind;
  /** Index of the key. */
  readonly key: number;
  readonly addresses: number;
  /** Addresses that are refunded: their check came to nothing. */
  readonly refunded: number;
}

/** Verdicts of a day, key and endpoint. */
export interface DemoVerdicts {
  readonly daysAgo: number;
  readonly endpoint: MeteredKind;
  readonly key: number;
  readonly verdicts: Readonly<Record<Result, number>>;
}

export const DEMO_DAYS = 30;
const DAY_SECONDS = 86_400;
/** Of a hundred addresses. */
const MIX: Readonly<Record<Result, number>> = {
  valid: 71,
  invalid: 9,
  catch_all: 8,
  disposable: 3,
  role: 5,
  unknown: 4,
};
/** What each key is used for: a shop checks sign-ups, a CRM cleans its contacts. */
const HABITS = [
  { key: 0, endpoint: 'single', calls: 14, addresses: [1, 1] },
  { key: 0, endpoint: 'batch', calls: 2, addresses: [5, 40] },
  { key: 1, endpoint: 'batch', calls: 4, addresses: [20, 100] },
  { key: 1, endpoint: 'job', calls: 0.3, addresses: [300, 1200] },
] as const satisfies readonly {
  readonly key: number;
  readonly endpoint: MeteredKind;
  readonly calls: number;
  readonly addresses: readonly [number, number];
}[];
const WEEKEND = 0.35;
/** A little more every week. */
const GROWTH_A_DAY = 0.015;
const REFUNDED_SHARE = 0.004;

/** A month of calls, oldest first: weekends are quiet, and it grows. The same for the same random numbers. */
export function demoCalls(today: Date, random: () => number): DemoCall[] {
  const calls: DemoCall[] = [];
  for (let daysAgo = DEMO_DAYS - 1; daysAgo >= 0; daysAgo--) {
    const weekday = new Date(today.getTime() - daysAgo * DAY_SECONDS * 1000).getUTCDay();
    const level = (weekday === 0 || weekday === 6 ? WEEKEND : 1) * (1 + GROWTH_A_DAY * (DEMO_DAYS - daysAgo));
    for (const { key, endpoint, calls: usual, addresses } of HABITS) {
      const count = Math.floor(usual * level * (0.7 + 0.6 * random()) + random());
      for (let i = 0; i < count; i++) {
        const some = between(addresses, random);
        const refunded = Math.min(some, Math.round(some * REFUNDED_SHARE * 2 * random()));
        calls.push({
          daysAgo,
          secondOfDay: momentOf(daysAgo, today, random),
          endpoint,
          key,
          addresses: some,
          refunded,
        });
      }
    }
  }
  return calls.toSorted((a, b) => b.daysAgo - a.daysAgo || a.secondOfDay - b.secondOfDay);
}

/** The verdicts of these calls, by day, key and endpoint. */
export function demoVerdicts(calls: readonly DemoCall[], random: () => number): DemoVerdicts[] {
  const groups = groupBy(calls, (call) => `${call.daysAgo} ${call.key} ${call.endpoint}`);
  return [...groups.values()].map((group) => {
    const [{ daysAgo, endpoint, key }] = group as [DemoCall];
    const verdicts = zeros(RESULTS);
    for (const { addresses, refunded } of group) {
      for (let i = 0; i < addresses - refunded; i++) verdicts[verdictOf(random)]++;
    }
    return { daysAgo, endpoint, key, verdicts };
  });
}

function verdictOf(random: () => number): Result {
  let left = random() * 100;
  return RESULTS.find((result) => (left -= MIX[result]) < 0) ?? 'valid';
}

function between([least, most]: readonly [number, number], random: () => number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Not later than now. */
function momentOf(daysAgo: number, today: Date, random: () => number): number {
  const passed = (today.getTime() / 1000) % DAY_SECONDS;
  return Math.floor(random() * (daysAgo === 0 ? passed : DAY_SECONDS));
}
