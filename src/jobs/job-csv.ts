import type { EntryError } from '../verify/verify-batch.response.js';
import { degradedResult } from '../verify/to-verify-result.js';
import type { VerifyResult } from '../verify/verify.response.js';

/** Result fields in the contract's order. Objects have columns of their own, and `degraded` comes after those. */
const RESULT_COLUMNS = Object.keys(degradedResult('')).filter(
  (field) => !['domain', 'decision', 'degraded'].includes(field),
);

/** Columns of the contract's domain object; empty until a domain has been crawled. */
const DOMAIN_COLUMNS = [
  'name',
  'types',
  'score',
  'spf',
  'dkim',
  'dmarc',
  'dmarc_policy',
  'mta_sts',
  'tls_rpt',
  'bimi',
  'dane',
  'blacklists',
  'dnssec',
  'caa',
  'blocked',
  'blocked_label',
] as const satisfies readonly (keyof NonNullable<VerifyResult['domain']>)[];

const DECISION_COLUMNS = ['recommendation', 'reasons'] as const satisfies readonly (keyof VerifyResult['decision'])[];

type Cells = Readonly<Record<string, unknown>>;

/** Line end of RFC 4180. */
const LINE_END = '\r\n';
/** Characters that start a spreadsheet formula, including the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Control characters except tab and line ends: a terminal would run them, and many readers refuse a file with one. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const NEEDS_QUOTES = /[",;\r\n\t]|^ | $/;

/** Returns the column names. They do not depend on the rows. */
export function csvHeader(): string {
  return line([
    ...RESULT_COLUMNS,
    ...DOMAIN_COLUMNS.map((name) => `domain_${name}`),
    ...DECISION_COLUMNS.map((name) => `decision_${name}`),
    'degraded',
    'error',
  ]);
}

/**
 * Formats the JSON text of a verify result or an entry error as one line of CSV (RFC 4180). Null becomes an empty cell;
 * lists are joined by spaces. Addresses come from strangers and may be crafted as formulas, so a text that a
 * spreadsheet would run gets a leading apostrophe. Control characters are removed.
 */
export function csvRow(text: string): string {
  const entry = JSON.parse(text) as (VerifyResult | EntryError) & Cells;
  const domain = (entry['domain'] ?? {}) as Cells;
  const decision = (entry['decision'] ?? {}) as Cells;
  return line([
    ...RESULT_COLUMNS.map((name) => cell(entry[name])),
    ...DOMAIN_COLUMNS.map((name) => cell(domain[name])),
    ...DECISION_COLUMNS.map((name) => cell(decision[name])),
    cell(entry['degraded']),
    cell(entry['error']),
  ]);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return cell(value.join(' '));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(CONTROLS, '');
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function line(cells: readonly string[]): string {
  return cells.join(',') + LINE_END;
}
