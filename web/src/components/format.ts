const numbers = new Intl.NumberFormat('en');
const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const days = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const datesOnly = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const ago = new Intl.RelativeTimeFormat('en');

/** 12345 → "12,345"; what is not known → "–". */
export function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : numbers.format(value);
}

/** 12345 → "12.35K". */
export function formatCompact(value: number): string {
  return compact.format(value);
}

/** With its sign, also where it is positive: +500, −20. */
export function formatSigned(value: number): string {
  if (value === 0) return '0';
  return `${value > 0 ? '+' : '−'}${numbers.format(Math.abs(value))}`;
}

/** 0.931 → "93.1%". */
export function formatShare(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : shares.format(value);
}

/** "2026-11-01" → "Nov 1". */
export function formatDay(day: string): string {
  return days.format(new Date(`${day}T00:00:00Z`));
}

/** "2026-11" → "November 2026". */
export function formatMonth(month: string): string {
  return months.format(new Date(`${month}-01T00:00:00Z`));
}

/** In the reader's time zone. */
export function formatMoment(at: string): string {
  return moments.format(new Date(at));
}

export function formatDate(at: string): string {
  return datesOnly.format(new Date(at));
}

/** "2026-11-29T05:00:00.000Z" → "2026-11-29 05:00:00 UTC". */
export function formatUtc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const STEPS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** "3 hours ago", "in 5 minutes". */
export function formatAgo(at: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const step = STEPS.find((one) => Math.abs(seconds) >= one.seconds);
  return step ? ago.format(Math.trunc(seconds / step.seconds), step.unit) : 'just now';
}

/** 4000 → "1 h 6 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.round(hours / 24)} days`;
}

/** "smtp_unreachable" → "Smtp unreachable", for words that the page has no text of its own for. */
export function humanise(word: string): string {
  const text = word.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 1 address, 2 addresses. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
