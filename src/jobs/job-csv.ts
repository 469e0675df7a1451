import { csvCell, csvLine } from '../platform/csv/csv-cell.js';
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

/** Returns the column names. They do not depend on the rows. */
export function csvHeader(): string {
  return csvLine([
    ...RESULT_COLUMNS,
    ...DOMAIN_COLUMNS.map((name) => `domain_${name}`),
    ...DECISION_COLUMNS.map((name) => `decision_${name}`),
    'degraded',
    'error',
  ]);
}

/**
 * Formats the JSON text of a verify result or an entry error as one line of CSV. Addresses come from strangers and may
 * be crafted as formulas: `csvCell` makes them harmless.
 */
export function csvRow(text: string): string {
  const entry = JSON.parse(text) as (VerifyResult | EntryError) & Cells;
  const domain = (entry['domain'] ?? {}) as Cells;
  const decision = (entry['decision'] ?? {}) as Cells;
  return csvLine([
    ...RESULT_COLUMNS.map((name) => csvCell(entry[name])),
    ...DOMAIN_COLUMNS.map((name) => csvCell(domain[name])),
    ...DECISION_COLUMNS.map((name) => csvCell(decision[name])),
    csvCell(entry['degraded']),
    csvCell(entry['error']),
  ]);
}
