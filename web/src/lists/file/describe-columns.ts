import { addressIn, isAddress, isMeantAsAddress } from './address-cell';
import type { ListTable } from './list-table';

export interface ColumnDescription {
  readonly name: string;
  /** Cells that are not empty, header aside. */
  readonly filled: number;
  /** Cells that hold an address. */
  readonly addresses: number;
}

export interface TableDescription {
  /** The row of column names; null if the file has none. */
  readonly header: number | null;
  readonly columns: readonly ColumnDescription[];
  /** Columns that could be the one to check, best first. */
  readonly candidates: readonly number[];
}

interface Counts {
  filled: number;
  /** Cells that hold an address, be it broken. */
  meant: number;
  addresses: number;
}

/** East Asian keyboards have wider ones. */
const AT_SIGN = /[@＠﹫]/;

/** Rows that are enough to tell what is in a column. */
const ROWS_READ = 20_000;
/** A column of addresses holds so many of them among its filled cells, broken ones included. */
const SHARE_OF_ADDRESSES = 0.5;
/** Another column is worth asking about if it holds so many of the addresses that the best one holds. */
const SHARE_OF_BEST = 0.2;

/** Finds out which row names the columns and which columns hold addresses. */
export function describeColumns(table: ListTable, asked?: boolean): TableDescription {
  const first = firstRow(table);
  const header = (asked ?? looksLikeHeader(table, first)) ? first : null;
  const columns = countColumns(table, header === null ? first : first + 1);
  const most = Math.max(0, ...columns.map(({ addresses }) => addresses));
  const good = columns.flatMap(({ filled, meant, addresses }, index) =>
    meant >= filled * SHARE_OF_ADDRESSES && addresses > 0 && meant >= most * SHARE_OF_BEST ? [index] : [],
  );
  const some = columns.flatMap(({ addresses }, index) => (addresses > 0 && addresses === most ? [index] : []));
  const candidates = (good.length > 0 ? good : some).sort((a, b) => addressesOf(columns, b) - addressesOf(columns, a));
  return {
    header,
    columns: columns.map(({ filled, addresses }, index) => ({ filled, addresses, name: nameOf(table, header, index) })),
    candidates,
  };
}

function addressesOf(columns: readonly { addresses: number }[], index: number): number {
  return columns[index]?.addresses ?? 0;
}

/** The first row with anything in it. */
function firstRow(table: ListTable): number {
  for (let row = 0; row < table.rowCount; row++) {
    for (let column = 0; column < table.columnCount; column++) {
      if (table.cell(row, column).trim() !== '') return row;
    }
  }
  return 0;
}

/** A row of names holds no address, not even a broken one, and has rows under it. */
function looksLikeHeader(table: ListTable, row: number): boolean {
  if (table.rowCount <= row + 1) return false;
  for (let column = 0; column < table.columnCount; column++) {
    if (AT_SIGN.test(table.cell(row, column))) return false;
  }
  return true;
}

function countColumns(table: ListTable, from: number): Counts[] {
  const columns = Array.from({ length: table.columnCount }, () => ({ filled: 0, meant: 0, addresses: 0 }));
  const to = Math.min(table.rowCount, from + ROWS_READ);
  for (let row = from; row < to; row++) {
    for (const [index, column] of columns.entries()) {
      const cell = table.cell(row, index).trim();
      if (cell === '') continue;
      column.filled++;
      if (!cell.includes('@')) continue;
      const address = addressIn(cell);
      const isOne = isAddress(address);
      if (isOne) column.addresses++;
      if (isOne || isMeantAsAddress(address)) column.meant++;
    }
  }
  return columns;
}

function nameOf(table: ListTable, header: number | null, column: number): string {
  const name = header === null ? '' : table.cell(header, column).trim();
  return name === '' ? `Column ${column + 1}` : name;
}
