import {
  ADDED_COLUMNS,
  addedCells,
  addedWithoutEntry,
  isSelected,
  type EntryResults,
  type Selection,
} from './added-columns';
import { ByteWriter } from './byte-writer';
import type { DelimitedText } from './delimited-text';
import { DELIMITERS } from './detect-dialect';
import { harmlessCell } from '../../components/harmless-cell';
import { NO_ENTRY, type ListEntries } from './list-entries';
import type { ListTable } from './list-table';
import { encoderOf } from './text-encoding';

const MOST_REMEMBERED = 1000;

interface Annotation {
  /** The row of column names. */
  readonly header: number | null;
  readonly entries: Pick<ListEntries, 'entryOfRow'>;
  readonly results: EntryResults;
  readonly selection: Selection;
}

/**
 * The bytes of a text with the verdicts as columns at the end of each row. Everything that the file held is copied, not
 * written anew: byte order mark, cells with their quotes, delimiters and line ends.
 */
export function annotatedText(text: DelimitedText, annotation: Annotation): Uint8Array<ArrayBuffer>[] {
  const writer = new ByteWriter();
  const added = addedBytes(text);
  writer.write(text.bytes.subarray(0, text.octets(0).start));
  for (let row = 0; row < text.rowCount; row++) {
    const cells = addedTo(row, text, annotation);
    if (cells === 'left out') continue;
    const { start, end: rowEnd, next } = text.octets(row);
    writer.write(text.bytes.subarray(start, rowEnd));
    if (cells !== 'unchanged') writer.write(added(text.width(row), cells));
    writer.write(text.bytes.subarray(rowEnd, next));
  }
  return writer.pieces();
}

/** A workbook as CSV: UTF-8 with a byte order mark, by which spreadsheets know it. */
export function annotatedWorkbook(table: ListTable, annotation: Annotation): Uint8Array<ArrayBuffer>[] {
  const writer = new ByteWriter();
  const encode = encoderOf('utf-8');
  writer.write(encode('\ufeff'));
  const columns = Array.from({ length: table.columnCount }, (_, column) => column);
  for (let row = 0; row < table.rowCount; row++) {
    const cells = addedTo(row, table, annotation);
    if (cells === 'left out') continue;
    const line = [...columns.map((column) => table.cell(row, column)), ...(cells === 'unchanged' ? [] : cells)];
    writer.write(encode(`${line.map(csvCell).join(',')}\r\n`));
  }
  return writer.pieces();
}

function csvCell(text: string): string {
  const harmless = harmlessCell(text);
  return /[",;\r\n\t]|^ | $/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The cells to add to a row, or what becomes of it otherwise. */
function addedTo(
  row: number,
  table: ListTable,
  { header, entries, results, selection }: Annotation,
): readonly string[] | 'left out' | 'unchanged' {
  if (row === header) return ADDED_COLUMNS;
  // Titles above the header, and empty lines.
  if (header !== null && row < header) return 'unchanged';
  if (table.isBlank(row)) return selection === 'everything' ? 'unchanged' : 'left out';
  const entry = entries.entryOfRow[row] ?? NO_ENTRY;
  if (entry < 0) return selection === 'everything' ? addedWithoutEntry(entry === NO_ENTRY) : 'left out';
  return isSelected(results, entry, selection) ? addedCells(results, entry) : 'left out';
}

/** Writes added cells as the file writes its own; rows that are shorter than others are filled up, so that columns align. */
function addedBytes(text: DelimitedText): (width: number, cells: readonly string[]) => Uint8Array {
  const { dialect, columnCount, encoding } = text;
  const encode = encoderOf(encoding);
  const delimiter = dialect.delimiter === null ? unusedDelimiter(text) : String.fromCharCode(dialect.delimiter);
  const quote = dialect.quote === null ? null : String.fromCharCode(dialect.quote);
  const writtenBefore = new Map<string, string>();
  const write = (cell: string): string => {
    const harmless = harmlessCell(cell);
    if (!harmless.includes(delimiter) && !/[\r\n]|^ | $/.test(harmless) && !(quote && harmless.includes(quote))) {
      return harmless;
    }
    return quote === null
      ? harmless.replaceAll(delimiter, ' ').replaceAll(/[\r\n]/g, ' ')
      : `${quote}${harmless.replaceAll(quote, quote + quote)}${quote}`;
  };
  // Nearly all cells are one of a few words.
  const written = (cell: string): string => {
    const known = writtenBefore.get(cell);
    if (known !== undefined) return known;
    const now = write(cell);
    if (writtenBefore.size < MOST_REMEMBERED) writtenBefore.set(cell, now);
    return now;
  };
  return (width, cells) =>
    encode(delimiter.repeat(columnCount - width) + cells.map((cell) => delimiter + written(cell)).join(''));
}

/** A list of one column gets a delimiter that none of its rows holds. */
function unusedDelimiter(text: DelimitedText): string {
  return Object.keys(DELIMITERS).find((delimiter) => !text.includes(delimiter)) ?? '\t';
}
