import type { EntryError } from '../verify/verify-batch.response.js';
import { degradedResult } from '../verify/to-verify-result.js';
import type { VerifyResult } from '../verify/verify.response.js';

/** Fields of the result in the contract's order, but for those that are objects, which have columns of their own, and `degraded`, which comes after those. */
const RESULT_COLUMNS = Object.keys(degradedResult('')).filter(
  (field) => !['domain', 'decision', 'degraded'].includes(field),
);

/** Of the contract's domain object; empty until a domain has been crawled. */
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

/** Each ends a line of RFC 4180. */
const LINE_END = '\r\n';
/** What a spreadsheet takes for the beginning of a formula, also in the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** All but tab and line ends: a terminal would run them, and many readers refuse the file for one. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const NEEDS_QUOTES = /[",;\r\n\t]|^ | $/;

/** The names of the columns. They do not depend on what stands in the rows. */
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
 * One line of CSV (RFC 4180) from the JSON text of a verify result or an entry error. Null is an empty cell, lists are
 * joined by a space. A text that a spreadsheet would run as a formula gets an apostrophe in front: addresses are other
 * people's texts, and may be written to be opened in one. Control characters are left out.
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
