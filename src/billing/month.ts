/** A UTC calendar month as a number whose order is that of time: 202611. The database names it, by its own clock. */
export type Month = number;

/** The moment at which a month ends and the next allowance begins. */
export function endOf(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 100), month % 100, 1));
}
