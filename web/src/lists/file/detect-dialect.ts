import { cellBounds, CR, LF, splitRecords, type Dialect } from './split-records';

type Units = Uint8Array | Uint16Array;

/** Delimiters to choose from, with the name that people know. */
export const DELIMITERS = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
  ':': 'Colon',
  '^': 'Caret',
  '~': 'Tilde',
  ' ': 'Space',
  '\u001f': 'Unit separator',
  '\u0001': 'Start of heading',
} as const;
export type Delimiter = keyof typeof DELIMITERS;

/** Units looked at. */
const SAMPLE = 128 * 1024;
const MOST_ROWS = 400;
const MOST_CELLS = 200;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
/** A cell that is an address and nothing else shows that rows were split in the right places. */
const ADDRESS = /^[^\s@,;|"<>]+@[\p{L}\p{N}.-]+\.\p{L}[\p{L}\p{N}-]*$/u;

type Quoting = Pick<Dialect, 'quote' | 'escape'>;
const QUOTINGS: readonly Quoting[] = [
  { quote: DOUBLE_QUOTE, escape: 'double' },
  { quote: DOUBLE_QUOTE, escape: 'backslash' },
  { quote: SINGLE_QUOTE, escape: 'double' },
];
/** For a text whose quotes are ordinary characters. */
export const UNQUOTED: readonly Quoting[] = [{ quote: null, escape: 'double' }];

/** Finds the dialect whose reading of the first rows has the most addresses in cells of their own and the most even rows. */
export function detectDialect(units: Units, asked?: Delimiter, quotings = QUOTINGS): Dialect {
  const sample = units.subarray(0, SAMPLE);
  const isWhole = sample.length === units.length;
  const delimiters = asked === undefined ? [...Object.keys(DELIMITERS), null] : [asked];
  let best: { dialect: Dialect; score: number } | null = null;
  for (const [rank, quoting] of quotings.entries()) {
    if (rank > 0 && !isUseful(sample, quoting)) continue;
    const lineEnd = lineEndOf(sample, quoting.quote);
    for (const delimiter of delimiters) {
      const unit = delimiter === null ? null : delimiter.charCodeAt(0);
      if (unit !== null && asked === undefined && !sample.includes(unit)) continue;
      const dialect: Dialect = { ...quoting, lineEnd, delimiter: unit };
      const score = scoreOf(sample, dialect, isWhole) - rank * 0.01 - (delimiter === ' ' ? 0.5 : 0);
      if (best === null || score > best.score) best = { dialect, score };
    }
  }
  if (best === null) throw new Error('No dialect was tried.');
  return best.dialect;
}

/** A quoting other than the usual one is tried only where the text has it. */
function isUseful(sample: Units, { quote, escape }: Quoting): boolean {
  if (escape === 'backslash') {
    for (let at = sample.indexOf(0x5c); at >= 0; at = sample.indexOf(0x5c, at + 1)) {
      if (sample[at + 1] === quote) return true;
    }
    return false;
  }
  return quote !== null && sample.includes(quote);
}

/** The kind of the first line end outside quotes: a row of an old Mac's file may hold LF inside a cell. */
function lineEndOf(units: Units, quote: number | null): Dialect['lineEnd'] {
  let inQuotes = false;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at];
    if (unit === quote) inQuotes = !inQuotes;
    else if (inQuotes) continue;
    else if (unit === LF) return 'lf';
    else if (unit === CR) return units[at + 1] === LF ? 'lf' : 'cr';
  }
  return 'lf';
}

function scoreOf(units: Units, dialect: Dialect, isWhole: boolean): number {
  const records = splitRecords(units, dialect, MOST_ROWS);
  // The last row of a sample may be cut, and a quote cut with it stays open.
  const cut = !isWhole && records.count < MOST_ROWS ? 1 : 0;
  const count = Math.max(1, records.count - cut);
  const rowsByWidth = new Map<number, number>();
  let rows = 0;
  let withAddress = 0;
  for (let row = 0; row < count; row++) {
    const start = records.starts[row] ?? 0;
    const end = records.ends[row] ?? 0;
    if (end === start) continue;
    rows++;
    const width = records.widths[row] ?? 1;
    rowsByWidth.set(width, (rowsByWidth.get(width) ?? 0) + 1);
    if (hasAddress(units, start, end, dialect)) withAddress++;
  }
  if (rows === 0) return 0;
  const [width, even] = [...rowsByWidth].reduce((most, pair) => (pair[1] > most[1] ? pair : most));
  const columns = Math.min(width, 50) / 1000;
  return (withAddress / rows) * 2 + (width > 1 ? even / rows : 0.5) + columns;
}

function hasAddress(units: Units, start: number, end: number, dialect: Dialect): boolean {
  const bounds = cellBounds(units, start, end, dialect, MOST_CELLS);
  for (let cell = 0; cell < bounds.length; cell += 2) {
    const from = bounds[cell] ?? 0;
    const to = bounds[cell + 1] ?? 0;
    if (to - from > 320) continue;
    const isQuoted = to - from > 1 && units[from] === dialect.quote && units[to - 1] === dialect.quote;
    const inside = isQuoted ? units.subarray(from + 1, to - 1) : units.subarray(from, to);
    if (ADDRESS.test(String.fromCharCode(...inside).trim())) return true;
  }
  return false;
}
