import { csvCell, csvLine } from '../../platform/csv/csv-cell.js';
import type { LedgerEntry } from './statement.response.js';

const COLUMNS: readonly (readonly [name: string, value: (entry: LedgerEntry) => unknown])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['endpoint', ({ endpoint }) => endpoint],
  ['key_id', ({ key_id }) => key_id],
  ['key_name', ({ key_name }) => key_name],
  ['addresses', ({ addresses }) => addresses],
  ['credits', ({ credits }) => credits.total],
  ['purchased', ({ credits }) => credits.purchased],
  ['gifted', ({ credits }) => credits.gifted],
  ['free_verifies', ({ free_verifies }) => free_verifies],
  ['balance_after', ({ balance_after }) => balance_after],
  ['reference', ({ reference }) => reference],
];

export function statementHeader(): string {
  return csvLine(COLUMNS.map(([name]) => name));
}

export function statementRow(entry: LedgerEntry): string {
  return csvLine(COLUMNS.map(([, value]) => csvCell(value(entry))));
}
