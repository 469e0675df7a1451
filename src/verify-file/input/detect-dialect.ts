import { parse } from 'csv-parse/sync';
import { parseOptions, type Dialect } from './dialect.js';
import { DELIMITERS } from './input-text.js';

type Quoting = Pick<Dialect, 'quote' | 'escape'>;
const QUOTINGS: readonly Quoting[] = [
  { quote: '"', escape: '"' },
  { quote: '"', escape: '\\' },
  { quote: "'", escape: "'" },
];
/** For a text whose quotes are ordinary characters. */
export const UNQUOTED: readonly Quoting[] = [{ quote: null, escape: '"' }];

const MOST_ROWS = 400;
/** A cell that is an address and nothing else shows that rows were split in the right places. */
const ADDRESS = /^[^\s@,;|"<>]+@[\w.\u0080-\u00ff-]+$/;
const TOP_LABEL = /^[a-z\u0080-\u00ff]/i;

export interface Sample {
  /** The first rows. */
  readonly sample: Buffer;
  readonly isWholeSample: boolean;
  /** The delimiter that the text names itself. */
  readonly delimiter: string | null;
}

/** Finds the dialect whose reading of the first rows has the most addresses in cells of their own and the most even rows. */
export function detectDialect(
  { sample, isWholeSample, delimiter: named }: Sample,
  quotings: readonly Quoting[] = QUOTINGS,
): Dialect {
  const text = sample.toString('latin1');
  const delimiters = named === null ? [...DELIMITERS.filter((one) => text.includes(one)), null] : [named];
  let best: { dialect: Dialect; score: number } | null = null;
  for (const [rank, quoting] of quotings.entries()) {
    if (rank > 0 && !text.includes(quoting.escape === '\\' ? '\\"' : "'")) continue;
    const lineEnd = lineEndOf(text, quoting.quote);
    for (const delimiter of delimiters) {
      const dialect = { ...quoting, delimiter, lineEnd };
      const score = scoreOf(sample, dialect, isWholeSample) - rank * 0.01 - (delimiter === ' ' ? 0.5 : 0);
      if (best === null || score > best.score) best = { dialect, score };
    }
  }
  return best!.dialect;
}

/** The kind of the first line end outside quotes: a row of an old Mac's file may hold LF inside a cell. */
function lineEndOf(text: string, quote: string | null): Dialect['lineEnd'] {
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === quote) inQuotes = !inQuotes;
    else if (inQuotes) continue;
    else if (character === '\n') return 'lf';
    else if (character === '\r') return text[at + 1] === '\n' ? 'lf' : 'cr';
  }
  return 'lf';
}

function scoreOf(sample: Buffer, dialect: Dialect, isWhole: boolean): number {
  const all = firstRows(sample, dialect);
  // The last row of a sample may be cut.
  const rows = (isWhole || all.length >= MOST_ROWS ? all : all.slice(0, -1)).filter((row) => row.join('') !== '');
  if (rows.length === 0) return 0;
  const rowsByWidth = new Map<number, number>();
  let withAddress = 0;
  for (const row of rows) {
    rowsByWidth.set(row.length, (rowsByWidth.get(row.length) ?? 0) + 1);
    if (row.some((cell) => cell.length <= 320 && isAddress(cell.trim()))) withAddress += 1;
  }
  const [width, even] = [...rowsByWidth].reduce((most, pair) => (pair[1] > most[1] ? pair : most));
  return (withAddress / rows.length) * 2 + (width > 1 ? even / rows.length : 0.5) + Math.min(width, 50) / 1000;
}

function isAddress(cell: string): boolean {
  const lastDot = cell.lastIndexOf('.');
  return ADDRESS.test(cell) && lastDot > cell.indexOf('@') + 1 && TOP_LABEL.test(cell.slice(lastDot + 1));
}

function firstRows(sample: Buffer, dialect: Dialect): string[][] {
  const rows: string[][] = [];
  const note = (row: string[]): null => {
    rows.push(row);
    return null;
  };
  try {
    parse(sample, { ...parseOptions(dialect), to: MOST_ROWS, on_record: note });
  } catch {
    // A quote that is cut with the sample, or never closed: the rows before it tell enough.
  }
  return rows;
}
