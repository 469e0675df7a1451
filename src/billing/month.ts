/** A UTC calendar month as a number whose order is that of time: 202611. The database names it, by its own clock. */
export type Month = number;

export function startOf(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 100), (month % 100) - 1, 1));
}

/** The moment at which a month ends and the next allowance begins. */
export function endOf(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 100), month % 100, 1));
}

/** Reads `2026-11`; null for what is none. */
export function parseMonth(text: string): Month | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return month === undefined ? null : Number(year) * 100 + Number(month);
}

/** `2026-11`. */
export function formatMonth(month: Month): string {
  return startOf(month).toISOString().slice(0, 7);
}
