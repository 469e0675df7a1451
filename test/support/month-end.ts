import { endOf, monthOf, type Month } from '../../src/billing/month.js';

/** The end of a month, by the times that a test sets. */
export interface MonthEnd {
  readonly months: readonly [this: Month, next: Month];
  /** Milliseconds before the end. */
  readonly before: (ms: number) => string;
  readonly at: string;
  /** When an allowance of this month begins anew, as the API says it, and one of the next. */
  readonly resetsAt: readonly [string, string];
}

/** The end of the present month: a balance that was written by the real clock never goes back to an earlier one. */
export function presentMonthEnd(now = new Date()): MonthEnd {
  const end = endOf(monthOf(now));
  const months = [monthOf(now), monthOf(end)] as const;
  const text = (time: Date): string => time.toISOString().slice(0, -1).replace('T', ' ');
  return {
    months,
    before: (ms) => text(new Date(end.getTime() - ms)),
    at: text(end),
    resetsAt: [end.toISOString(), endOf(months[1]).toISOString()],
  };
}
