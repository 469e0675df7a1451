/** A UTC calendar month as a number that sorts by time: 202611. The database's clock decides the month. */
export type Month = number;

/** The month of a time. */
export function monthOf(time: Date): Month {
  return time.getUTCFullYear() * 100 + time.getUTCMonth() + 1;
}

export function startOf(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 100), (month % 100) - 1, 1));
}

/** When the month ends and the next allowance begins. */
export function endOf(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 100), month % 100, 1));
}

/** Parses `2026-11`; null if invalid. */
export function parseMonth(text: string): Month | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return month === undefined ? null : Number(year) * 100 + Number(month);
}

/** `2026-11`. */
export function formatMonth(month: Month): string {
  return startOf(month).toISOString().slice(0, 7);
}
