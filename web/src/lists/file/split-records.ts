/** How rows and cells of a text are told apart. */
export interface Dialect {
  /** Unit between two cells; null: every row is one cell. */
  readonly delimiter: number | null;
  /** Unit around a cell that holds separators; null: no cell is quoted. */
  readonly quote: number | null;
  /** How a quoted cell writes the quote: twice, or after a backslash as well. */
  readonly escape: 'double' | 'backslash';
  /** `lf`: a row ends with LF or CR LF; `cr`: with CR, as old Macs write. */
  readonly lineEnd: 'lf' | 'cr';
}

type Units = Uint8Array | Uint16Array;

/** The rows of a text by where they begin and end, in units. A row ends before its line end. */
export interface Records {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Cells of each row. */
  readonly widths: Uint32Array;
  /** The number of the row, from 0, whose quote is never closed; null if all are. */
  readonly unclosed: number | null;
}

export const LF = 0x0a;
export const CR = 0x0d;
const BACKSLASH = 0x5c;

/** Splits a text into rows. Reads any input: what is no proper quote is an ordinary character. */
export function splitRecords(units: Units, dialect: Dialect, most = Number.POSITIVE_INFINITY): Records {
  const { delimiter, lineEnd } = dialect;
  const starts = new GrowingArray();
  const ends = new GrowingArray();
  const widths = new GrowingArray();
  let unclosed: number | null = null;
  let at = 0;
  while (at < units.length && starts.length < most) {
    const start = at;
    let width = 1;
    for (;;) {
      const afterQuotes = skipQuoted(units, at, dialect);
      if (afterQuotes < 0) {
        unclosed ??= starts.length;
        at = units.length;
      } else {
        at = afterQuotes;
      }
      while (at < units.length && units[at] !== delimiter && !endsLine(units[at], lineEnd)) at++;
      if (at >= units.length || units[at] !== delimiter) break;
      width++;
      at++;
    }
    starts.push(start);
    ends.push(lineEnd === 'lf' && at < units.length && at > start && units[at - 1] === CR ? at - 1 : at);
    widths.push(width);
    at += lineEnd === 'cr' && units[at] === CR && units[at + 1] === LF ? 2 : 1;
  }
  return { count: starts.length, starts: starts.done(), ends: ends.done(), widths: widths.done(), unclosed };
}

/** Where the cells of a row begin and end: pairs of offsets. */
export function cellBounds(units: Units, start: number, end: number, dialect: Dialect, most: number): number[] {
  const bounds: number[] = [];
  let from = start;
  while (bounds.length < most * 2) {
    const afterQuotes = skipQuoted(units, from, dialect);
    let at = afterQuotes < 0 || afterQuotes > end ? end : afterQuotes;
    while (at < end && units[at] !== dialect.delimiter) at++;
    bounds.push(from, at);
    if (at >= end) break;
    from = at + 1;
  }
  return bounds;
}

function endsLine(unit: number | undefined, lineEnd: Dialect['lineEnd']): boolean {
  return unit === LF || (unit === CR && lineEnd === 'cr');
}

/** The offset after the quoted part that begins at `at`; `at` itself if none does, -1 if it is never closed. */
function skipQuoted(units: Units, at: number, { quote, escape }: Dialect): number {
  if (quote === null || units[at] !== quote) return at;
  let close = at + 1;
  for (;;) {
    close = units.indexOf(quote, close);
    if (close < 0) return -1;
    if (escape === 'backslash' && isEscaped(units, close, at)) close++;
    else if (units[close + 1] === quote) close += 2;
    else return close + 1;
  }
}

function isEscaped(units: Units, at: number, open: number): boolean {
  let before = at - 1;
  while (before > open && units[before] === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}

/** Numbers of a file of millions of rows, without an object each. */
class GrowingArray {
  length = 0;
  private numbers = new Uint32Array(1024);

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Uint32Array(this.numbers.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = number;
  }

  done(): Uint32Array {
    return this.numbers.subarray(0, this.length);
  }
}
