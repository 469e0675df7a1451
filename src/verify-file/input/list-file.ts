import { canonicalAddress } from '../../engine/address/canonical-address.js';
import { parseAddress } from '../../engine/address/parse-address.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { MAX_EMAIL_LENGTH } from '../../verify/max-email-length.js';
import { addressIn } from './address-cell.js';
import { findAddressColumn, type AddressColumn } from './address-column.js';
import type { Dialect } from './dialect.js';
import { detectDialect, UNQUOTED } from './detect-dialect.js';
import { GrowingInts } from './growing-ints.js';
import type { InputText } from './input-text.js';
import { readRows, UnclosedQuote } from './read-rows.js';

/** A row whose cell of the address column is empty, a blank one, or one above the addresses. */
const NO_ENTRY = -1;
/** A row whose cell is too long for an address. */
export const TOO_LONG = -2;

/** What a file holds: its distinct entries, and which row has which. */
export interface ListFile extends AddressColumn {
  readonly text: InputText;
  readonly dialect: Dialect;
  /** Each address once, and each text that is none, as the file writes it first. */
  readonly entries: readonly string[];
  /** The row, from 0, that has an entry first. */
  readonly rowOfEntry: Int32Array;
  /** The entry of each row, or one of the two above. */
  readonly entryOfRow: Int32Array;
  /** Cells of the widest row. */
  readonly columnCount: number;
}

/** Rows that are enough to tell what is in a column. */
const LOOKED_AT = 1000;
const MOST_COLUMNS = 1000;

/** Reads the entries of a file. @throws CommandError for a file that holds no list */
export async function readListFile(text: InputText, asked?: string): Promise<ListFile> {
  const dialect = detectDialect(text);
  try {
    return await readAs(text, dialect, asked);
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    // Unless this text does not quote cells at all.
    const plain = detectDialect(text, UNQUOTED);
    if (await isEven(text, plain)) return readAs(text, plain, asked);
    throw new CommandError(
      `${text.input.name}: the quotation mark that opens in row ${error.row} is never closed. Correct that row, and type the same again`,
    );
  }
}

async function readAs(text: InputText, dialect: Dialect, asked?: string): Promise<ListFile> {
  const reader = new EntryReader(text, asked);
  for await (const { cells } of readRows(text.octets(), dialect)) reader.add(cells);
  return { text, dialect, ...reader.end() };
}

async function isEven(text: InputText, dialect: Dialect): Promise<boolean> {
  let width: number | null = null;
  for await (const { cells } of readRows(text.octets(), dialect)) {
    if (cells.length === 1 && cells[0] === '') continue;
    width ??= cells.length;
    if (cells.length !== width) return false;
  }
  return true;
}

/** Collects the entries of a column. It keeps the first rows until they have told which column that is. */
class EntryReader {
  private readonly waiting: (readonly string[])[] = [];
  private place: AddressColumn | null = null;
  private readonly known = new Map<string, number>();
  private readonly entries: string[] = [];
  private readonly rowOfEntry = new GrowingInts();
  private readonly entryOfRow = new GrowingInts();
  private columnCount = 0;

  constructor(
    private readonly text: InputText,
    private readonly asked: string | undefined,
  ) {}

  add(cells: readonly string[]): void {
    this.columnCount = Math.max(this.columnCount, cells.length);
    if (this.place !== null) return this.addEntry(cells, this.place);
    this.waiting.push(cells);
    if (this.waiting.length === LOOKED_AT) this.findPlace();
  }

  end(): Omit<ListFile, 'text' | 'dialect'> {
    const place = this.place ?? this.findPlace();
    const { entries, columnCount } = this;
    if (columnCount > MOST_COLUMNS) {
      throw new CommandError(`a row has ${columnCount} cells. Keep the column of addresses and a few others`);
    }
    return { ...place, entries, columnCount, rowOfEntry: this.rowOfEntry.done(), entryOfRow: this.entryOfRow.done() };
  }

  private findPlace(): AddressColumn {
    const rows = this.waiting.splice(0);
    const decoded = rows.map((row) => row.map((cell) => this.text.decode(cell)));
    const place = findAddressColumn(decoded, this.asked);
    this.place = place;
    for (const row of rows) this.addEntry(row, place);
    return place;
  }

  private addEntry(cells: readonly string[], { column, header }: AddressColumn): void {
    const row = this.entryOfRow.length;
    const isAbove = header !== null && row <= header;
    const written = isAbove ? '' : addressIn(this.text.decode(cells[column] ?? ''));
    if (written === '') this.entryOfRow.push(NO_ENTRY);
    else if (written.length > MAX_EMAIL_LENGTH) this.entryOfRow.push(TOO_LONG);
    else this.entryOfRow.push(this.entryOf(written, row));
  }

  private entryOf(written: string, row: number): number {
    const parsed = parseAddress(written);
    const key = parsed.ok ? canonicalAddress(parsed.address) : written.toLowerCase();
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.entries.length);
    this.rowOfEntry.push(row);
    return this.entries.push(written) - 1;
  }
}
