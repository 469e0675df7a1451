import { addressIn, entryKey, isAddress, isSendable } from './address-cell';
import type { ListTable } from './list-table';

/** A row without an entry: its cell is empty. */
export const NO_ENTRY = -1;
/** A row whose entry is too long to be an address, and is not sent. */
const NOT_SENT = -2;

export interface EntryCounts {
  /** Rows with something in them, header aside. */
  readonly rows: number;
  /** Rows whose cell of the address column is empty. */
  readonly empty: number;
  /** Rows that repeat an earlier entry. */
  readonly duplicates: number;
  /** Entries, each counted once, that are no address. */
  readonly noAddress: number;
  /** Addresses, each counted once: what is billed. */
  readonly addresses: number;
}

export interface ListEntries {
  /** What is sent, in the order of the file: each entry once. */
  readonly emails: readonly string[];
  /** For each of `emails`, whether it is an address. */
  readonly billed: readonly boolean[];
  /** For each row of the table, the position in `emails`, or one of the two above. */
  readonly entryOfRow: Int32Array;
  readonly counts: EntryCounts;
}

/** Collects the entries of a column, each once however often and in whichever case it is written. */
export function listEntries(table: ListTable, column: number, header: number | null): ListEntries {
  const entryOfRow = new Int32Array(table.rowCount).fill(NO_ENTRY);
  const positions = new Map<string, number>();
  const emails: string[] = [];
  const billed: boolean[] = [];
  const tooLong = new Set<string>();
  let rows = 0;
  let empty = 0;
  let duplicates = 0;
  for (let row = header === null ? 0 : header + 1; row < table.rowCount; row++) {
    if (table.isBlank(row)) continue;
    rows++;
    const address = addressIn(table.cell(row, column));
    if (address === '') {
      empty++;
      continue;
    }
    const key = entryKey(address);
    if (!isSendable(address)) {
      entryOfRow[row] = NOT_SENT;
      if (tooLong.has(key)) duplicates++;
      tooLong.add(key);
      continue;
    }
    const known = positions.get(key);
    if (known !== undefined) duplicates++;
    else {
      emails.push(address);
      billed.push(isAddress(address));
      positions.set(key, emails.length - 1);
    }
    entryOfRow[row] = known ?? emails.length - 1;
  }
  const addresses = billed.filter(Boolean).length;
  const noAddress = emails.length - addresses + tooLong.size;
  return { emails, billed, entryOfRow, counts: { rows, empty, duplicates, noAddress, addresses } };
}
