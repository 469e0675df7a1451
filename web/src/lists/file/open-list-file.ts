import { DelimitedText, type TextChoices } from './delimited-text';
import type { Delimiter } from './detect-dialect';
import { describeColumns, type TableDescription } from './describe-columns';
import { fileKind } from './file-kind';
import { FileRefusal } from './file-refusal';
import type { Encoding } from './text-encoding';
import type { SheetTable } from './workbook';

/** What a person may say about a file instead of having it found out. */
export interface FileChoices extends TextChoices {
  /** Whether the first row holds the names of the columns. */
  readonly header?: boolean;
  readonly sheet?: string;
}

/** A file as the page shows it before anything is sent. */
export interface FileDescription extends TableDescription {
  readonly kind: 'text' | 'xlsx';
  /** Rows with something in them, header aside. */
  readonly rows: number;
  /** The first rows after the header. */
  readonly preview: readonly (readonly string[])[];
  /** Of a text. */
  readonly encoding: Encoding | null;
  /** Of a text; null if its rows are one cell each. */
  readonly delimiter: Delimiter | null;
  /** Of a workbook: its sheets, and the one that was read. */
  readonly sheets: readonly string[];
  readonly sheet: string | null;
}

export type OpenTable = DelimitedText | SheetTable;

/** Larger files do not fit into the memory that browsers give a page. */
export const LARGEST_FILE = 250 * 1024 * 1024;
const PREVIEWED_ROWS = 5;
/** More columns than a table of leads has; a file of more is of another kind. */
const MOST_COLUMNS = 1000;

interface OpenFile {
  readonly table: OpenTable;
  readonly description: FileDescription;
}

/**
 * Reads a file and says what is in it; of a workbook the first sheet that holds addresses, unless one is chosen. Throws a
 * `FileRefusal` for one that holds no list of addresses.
 */
export async function openListFile(bytes: Uint8Array, choices: FileChoices = {}): Promise<OpenFile> {
  if (bytes.length > LARGEST_FILE) throw new FileRefusal(tooLargeSentence());
  let first: FileRefusal | null = null;
  for (const table of await tablesOf(bytes, choices)) {
    try {
      return { table, description: describe(table, choices) };
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      first ??= error;
    }
  }
  throw first ?? new FileRefusal('This file has no rows.');
}

function describe(table: OpenTable, choices: FileChoices): FileDescription {
  if (table.columnCount > MOST_COLUMNS) {
    throw new FileRefusal(
      `This file has more than ${MOST_COLUMNS} columns. Keep the column of addresses and a few others.`,
    );
  }
  const columns = describeColumns(table, choices.header);
  const shown = firstRows(table, columns.header);
  const isEmpty = columns.columns.every(({ filled }) => filled === 0);
  if (shown.count === 0 || isEmpty) throw new FileRefusal('This file has no rows.');
  if (columns.candidates.length === 0) {
    if (shown.count === 1 && columns.header === null)
      throw new FileRefusal('This file has column names and no rows under them.');
    throw new FileRefusal('No column of this file holds email addresses. Each must stand in a cell of its own.');
  }
  if (shown.count === 1 && columns.candidates.length > 2 && columns.columns.length > 2) {
    throw new FileRefusal(
      'This file has its addresses side by side in one row. Put each address into a row of its own.',
    );
  }
  return { ...columns, ...formOf(table), kind: table.kind, rows: shown.count, preview: shown.preview };
}

export function tooLargeSentence(): string {
  return `This file is larger than ${LARGEST_FILE / 1024 / 1024} MB. Split it, or keep only the columns you need.`;
}

async function tablesOf(bytes: Uint8Array, choices: FileChoices): Promise<Iterable<OpenTable>> {
  if (fileKind(bytes) === 'text') return [new DelimitedText(bytes, choices)];
  // Half of the code is for workbooks: only who chooses one loads it.
  const { readWorkbook } = await import('./workbook');
  return readWorkbook(bytes, choices.sheet);
}

function formOf(table: OpenTable): Pick<FileDescription, 'encoding' | 'delimiter' | 'sheets' | 'sheet'> {
  if (table.kind === 'xlsx') {
    return { encoding: null, delimiter: null, sheets: table.sheets, sheet: table.sheet };
  }
  const { delimiter } = table.dialect;
  return {
    encoding: table.encoding,
    delimiter: delimiter === null ? null : (String.fromCharCode(delimiter) as Delimiter),
    sheets: [],
    sheet: null,
  };
}

function firstRows(table: OpenTable, header: number | null): { count: number; preview: string[][] } {
  const preview: string[][] = [];
  let count = 0;
  for (let row = header === null ? 0 : header + 1; row < table.rowCount; row++) {
    if (table.isBlank(row)) continue;
    count++;
    if (preview.length < PREVIEWED_ROWS) {
      preview.push(Array.from({ length: table.columnCount }, (_, column) => table.cell(row, column)));
    }
  }
  return { count, preview };
}
