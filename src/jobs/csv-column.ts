import { parseAddress } from '../engine/address/parse-address.js';
import { AppError } from '../platform/errors/app-error.js';
import type { CsvSink } from '../platform/http/body/csv-scanner.js';
import { MAX_EMAIL_LENGTH } from '../verify/max-email-length.js';
import type { CsvQuery } from './submit-csv.request.js';
import { MAX_ENTRIES } from './job.js';

/** Rows that are searched for an address, to find its column. */
const ROWS_SEARCHED = 20;

/** Picks the column of addresses out of a CSV text: the one that is asked for, or the first that holds an address. */
export class CsvColumn implements CsvSink {
  /** From 0 on; null: not known yet. */
  private column: number | null = null;
  private readonly name: string | null;
  private readonly header: boolean | null;
  private isFirstRow = true;
  private hasHeader = false;
  /** Whether a row has the column: the one whose number was given may be none. */
  private isReached: boolean;
  /** Cells of the row that is read, as far as they are wanted. */
  private row: string[] = [];
  /** Rows before the one that shows which column it is. */
  private searched: string[][] = [];
  private readonly found: string[] = [];
  private kept = 0;

  constructor({ column, header }: CsvQuery) {
    const isNumber = column !== undefined && /^[1-9]\d{0,8}$/.test(column);
    if (isNumber) this.column = Number(column) - 1;
    this.isReached = !isNumber;
    this.name = column === undefined || isNumber ? null : column;
    this.header = header === undefined ? null : header === 'true';
  }

  /** Cells kept so far. */
  get values(): number {
    return this.kept;
  }

  wants(column: number): boolean {
    if (this.found.length > MAX_ENTRIES) return false;
    return this.isFirstRow || this.column === null || column === this.column;
  }

  cell(column: number, text: string): void {
    this.row[column] = text;
    this.kept++;
    if (column === this.column) this.isReached = true;
  }

  rowEnds(): void {
    const { isFirstRow, row } = this;
    this.row = [];
    if (isFirstRow && isSeparatorLine(row)) return;
    this.isFirstRow = false;
    this.hasHeader ||= isFirstRow && this.isHeader(row);
    if (isFirstRow && this.hasHeader) this.readHeader(row);
    else this.readRow(row);
  }

  /**
   * The cells of the column, without the header.
   * @throws AppError `validation_failed` if there is no row, there are too many, or no column holds addresses
   */
  cells(): readonly string[] {
    if (this.column === null && this.searched.length > 0) throw noColumn();
    if (this.found.length === 0) throw this.isEmpty();
    if (!this.isReached) throw new AppError('validation_failed', `column must be at most the number of cells in a row`);
    if (this.found.length > MAX_ENTRIES) {
      throw new AppError('validation_failed', `the CSV must have at most ${MAX_ENTRIES} addresses`);
    }
    return this.found;
  }

  private isEmpty(): AppError {
    const where = this.hasHeader ? ' below its header; say header=false if it has none' : '';
    return new AppError('validation_failed', `the CSV must have at least 1 address${where}`);
  }

  private isHeader(row: readonly string[]): boolean {
    if (this.header === false && this.name !== null) {
      throw new AppError('validation_failed', 'column must be a number where there is no header');
    }
    return this.header ?? (this.name !== null || !row.some(isAddress));
  }

  private readHeader(row: readonly string[]): void {
    if (this.name === null) return;
    const sought = sameName(this.name);
    const column = row.findIndex((cell) => sameName(cell) === sought);
    if (column === -1) throw new AppError('validation_failed', 'column must be a name in the header, or a number');
    this.column = column;
  }

  private readRow(row: string[]): void {
    if (this.column !== null) return this.keep(row);
    this.searched.push(row);
    const column = row.findIndex(isAddress);
    if (column === -1) {
      if (this.searched.length === ROWS_SEARCHED) throw noColumn();
      return;
    }
    this.column = column;
    for (const before of this.searched) this.keep(before);
    this.searched = [];
  }

  private keep(row: readonly string[]): void {
    if (this.found.length <= MAX_ENTRIES) this.found.push(row[this.column!] ?? '');
  }
}

function isAddress(cell: string | undefined): boolean {
  if (cell === undefined || cell.length > MAX_EMAIL_LENGTH || !cell.includes('@')) return false;
  return parseAddress(cell).ok;
}

/** The line `sep=;` that tells spreadsheets the delimiter. */
function isSeparatorLine(row: readonly string[]): boolean {
  return row.length === 2 && row[0]!.toLowerCase() === 'sep=' && row[1] === '';
}

/** Names are the same whatever their case and the spaces around them. */
function sameName(name: string): string {
  return name.trim().toLowerCase();
}

function noColumn(): AppError {
  return new AppError(
    'validation_failed',
    `none of the first ${ROWS_SEARCHED} rows holds an address; say with column where the addresses are`,
  );
}
