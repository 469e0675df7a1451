import { parseAddress } from '../../engine/address/parse-address.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { addressIn, isMeantAsAddress } from './address-cell.js';

/** Where the addresses of a table stand. */
export interface AddressColumn {
  /** From 0. */
  readonly column: number;
  /** The row of column names, from 0; null if the table has none. */
  readonly header: number | null;
}

/** A column of addresses holds so many of them among its filled cells, broken ones included. */
const SHARE_OF_ADDRESSES = 0.5;
/** Another column might be meant if it holds so many of the addresses that the best one holds. */
const SHARE_OF_BEST = 0.2;
/** East Asian keyboards have wider ones. */
const AT_SIGN = /[@＠﹫]/;
const MOST_NAMED = 12;
const LONGEST_NAME = 60;

/**
 * Finds the column of addresses in the first rows of a table.
 * @param asked a column's name, or its number from 1
 * @throws CommandError that says which `--column` to type
 */
export function findAddressColumn(rows: readonly (readonly string[])[], asked?: string): AddressColumn {
  const first = rows.findIndex((row) => row.some((cell) => cell.trim() !== ''));
  if (first === -1) throw new CommandError('the file has no rows');
  const names = rows[first]!.map((cell) => cell.trim());
  const header = rows.length > first + 1 && !names.some((name) => AT_SIGN.test(name)) ? first : null;
  if (asked !== undefined) return { column: askedColumn(asked, names, header !== null), header };
  const found = candidates(rows.slice(header === null ? first : first + 1));
  const [best] = found;
  if (best === undefined) {
    throw new CommandError(
      `no column holds email addresses, each in a cell of its own. If one does, type --column with ${choices(names, header !== null)}`,
    );
  }
  if (found.length > 1) {
    const shown = found.map((column) => nameOf(names, column, header !== null)).join(', ');
    throw new CommandError(`several columns hold addresses: ${shown}. Type --column and the one you mean`);
  }
  return { column: best, header };
}

function askedColumn(asked: string, names: readonly string[], isHeader: boolean): number {
  const wanted = asked.trim().toLowerCase();
  const named = isHeader ? columnsNamed(names, asked.trim()) : [];
  if (named.length === 1) return named[0]!;
  if (named.length > 1) {
    const numbers = named.map((column) => column + 1).join(' or ');
    throw new CommandError(
      `several columns are named ${asked.trim()}. Type --column with the number of one: ${numbers}`,
    );
  }
  const number = /^\d{1,6}$/.test(wanted) ? Number(wanted) : Number.NaN;
  if (number >= 1 && number <= names.length) return number - 1;
  throw new CommandError(`there is no column ${asked.trim()}. Type --column with ${choices(names, isHeader)}`);
}

/** From 0. Letters of another case do if no name is the very same. */
function columnsNamed(names: readonly string[], asked: string): number[] {
  const where = (isIt: (name: string) => boolean): number[] =>
    names.flatMap((name, column) => (isIt(name) ? [column] : []));
  const same = where((name) => name === asked);
  return same.length > 0 ? same : where((name) => name.toLowerCase() === asked.toLowerCase());
}

/** Columns that could be the one to check, best first. */
function candidates(rows: readonly (readonly string[])[]): number[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const columns = Array.from({ length: width }, () => ({ filled: 0, meant: 0, addresses: 0 }));
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      const text = cell.trim();
      if (text === '') continue;
      const column = columns[index]!;
      column.filled += 1;
      if (!text.includes('@')) continue;
      const address = addressIn(text);
      const isAddress = parseAddress(address).ok;
      if (isAddress) column.addresses += 1;
      if (isAddress || isMeantAsAddress(address)) column.meant += 1;
    }
  }
  const most = Math.max(0, ...columns.map(({ addresses }) => addresses));
  const holds = (isOne: (column: (typeof columns)[number]) => boolean): number[] =>
    columns.flatMap((column, index) => (column.addresses > 0 && isOne(column) ? [index] : []));
  const good = holds(({ filled, meant }) => meant >= filled * SHARE_OF_ADDRESSES && meant >= most * SHARE_OF_BEST);
  const some = good.length > 0 ? good : holds(({ addresses }) => addresses === most);
  return some.sort((one, other) => columns[other]!.addresses - columns[one]!.addresses);
}

function choices(names: readonly string[], isHeader: boolean): string {
  if (!isHeader || names.length > MOST_NAMED) return `a number from 1 to ${names.length}`;
  return `one of: ${names.map((_, column) => nameOf(names, column, true)).join(', ')}`;
}

function nameOf(names: readonly string[], column: number, isHeader: boolean): string {
  const name = isHeader ? names[column]?.replaceAll(/\p{Cc}/gu, '').slice(0, LONGEST_NAME) : '';
  return name && columnsNamed(names, names[column]!).length === 1 ? `"${name}"` : String(column + 1);
}
