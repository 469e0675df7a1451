const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAX_SECONDS = 90 * 86_400;

/** The rule in words, for error messages. */
export const GRACE_PERIOD_RULE = 'must be 0 or a whole number with s, m, h or d, such as 30m or 24h, at most 90d';

/** Reads a grace period in seconds; null if it breaks the rule. */
export function parseGracePeriod(text: string): number | null {
  if (text === '0') return 0;
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return null;
  const seconds = Number(digits) * (SECONDS_OF[unit] ?? Number.NaN);
  return seconds <= MAX_SECONDS ? seconds : null;
}
