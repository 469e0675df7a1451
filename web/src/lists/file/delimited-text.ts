import { codeUnits } from './code-units';
import { detectDialect, UNQUOTED, type Delimiter } from './detect-dialect';
import { FileRefusal } from './file-refusal';
import type { ListTable } from './list-table';
import { cellBounds, splitRecords, type Dialect, type Records } from './split-records';
import { bomLength, detectEncoding, type Encoding } from './text-encoding';

/** What a person may say about a text instead of having it found out. */
export interface TextChoices {
  readonly encoding?: Encoding;
  readonly delimiter?: Delimiter;
}

/**
 * A text of rows and cells, kept as the bytes it came in: rows are offsets into them, and a cell is decoded when it is
 * asked for. So a file of a million rows needs little more memory than its size, and goes back out as it was.
 */
export class DelimitedText implements ListTable {
  readonly kind = 'text';
  readonly encoding: Encoding;
  readonly dialect: Dialect;
  readonly rowCount: number;
  readonly columnCount: number;
  private readonly content: Uint8Array;
  private readonly units: Uint8Array | Uint16Array;
  private readonly unitSize: 1 | 2;
  /** Octets before the first row: the byte order mark, and a line `sep=;` that only spreadsheets read. */
  private readonly before: number;
  private readonly records: Records;
  private readonly decoder: TextDecoder;

  constructor(
    readonly bytes: Uint8Array,
    choices: TextChoices = {},
  ) {
    this.encoding = choices.encoding ?? detectEncoding(bytes).encoding;
    const bom = bomLength(bytes, this.encoding);
    const { units, size } = codeUnits(bytes.subarray(bom), this.encoding);
    const hint = separatorHint(units);
    this.units = units.subarray(hint.length);
    this.unitSize = size;
    this.before = bom + hint.length * size;
    this.content = bytes.subarray(this.before);
    this.decoder = new TextDecoder(this.encoding, { ignoreBOM: true });
    const { dialect, records } = read(this.units, choices.delimiter ?? hint.delimiter);
    this.dialect = dialect;
    this.records = records;
    this.rowCount = records.count;
    this.columnCount = records.widths.reduce((widest, width) => Math.max(widest, width), 0);
  }

  cell(row: number, column: number): string {
    const start = this.records.starts[row] ?? 0;
    const end = this.records.ends[row] ?? 0;
    if (column >= this.width(row)) return '';
    const bounds = cellBounds(this.units, start, end, this.dialect, column + 1);
    return this.text(bounds[column * 2] ?? end, bounds[column * 2 + 1] ?? end);
  }

  isBlank(row: number): boolean {
    return this.records.starts[row] === this.records.ends[row];
  }

  /** Cells of a row. */
  width(row: number): number {
    return this.records.widths[row] ?? 0;
  }

  /** Where a row stands among the bytes of the file: its first octet, the one after its last, that of the next row. */
  octets(row: number): { readonly start: number; readonly end: number; readonly next: number } {
    const octet = (unit: number | undefined): number => this.before + (unit ?? 0) * this.unitSize;
    const next = row + 1 < this.rowCount ? octet(this.records.starts[row + 1]) : this.bytes.length;
    return { start: octet(this.records.starts[row]), end: octet(this.records.ends[row]), next };
  }

  /** True if the character stands anywhere in the text. */
  includes(character: string): boolean {
    return this.units.includes(character.charCodeAt(0));
  }

  private text(from: number, to: number): string {
    const { quote, escape } = this.dialect;
    const written = this.decode(from, to);
    if (quote === null || this.units[from] !== quote) return written;
    const mark = String.fromCharCode(quote);
    const close = written.lastIndexOf(mark);
    if (close <= 0) return written;
    const inside = written.slice(1, close).replaceAll(mark + mark, mark);
    return (escape === 'backslash' ? inside.replaceAll(/\\(.)/gs, '$1') : inside) + written.slice(close + 1);
  }

  private decode(from: number, to: number): string {
    return this.decoder.decode(this.content.subarray(from * this.unitSize, to * this.unitSize));
  }
}

function read(units: Uint8Array | Uint16Array, delimiter?: Delimiter): { dialect: Dialect; records: Records } {
  const dialect = detectDialect(units, delimiter);
  const records = splitRecords(units, dialect);
  if (records.unclosed === null) return { dialect, records };
  // A quote that is never closed swallows the rest of the file, unless this text does not quote cells at all.
  const unquoted = detectDialect(units, delimiter, UNQUOTED);
  const plain = splitRecords(units, unquoted);
  if (isEven(plain)) return { dialect: unquoted, records: plain };
  throw new FileRefusal(
    `The quotation mark that opens in row ${records.unclosed + 1} is never closed, so the rows after it cannot be told apart. ` +
      'Correct that row and choose the file again.',
  );
}

function isEven({ widths, starts, ends }: Records): boolean {
  const [first] = widths;
  return widths.every((width, row) => width === first || starts[row] === ends[row]);
}

/** Reads the line `sep=;` that tells Excel the delimiter. */
function separatorHint(units: Uint8Array | Uint16Array): { readonly length: number; readonly delimiter?: Delimiter } {
  const line = /^sep=([,;\t|])\r?\n/i.exec(String.fromCharCode(...units.subarray(0, 8)));
  return line === null ? { length: 0 } : { length: line[0].length, delimiter: line[1] as Delimiter };
}
