import { TOO_LONG, type ListFile } from '../input/list-file.js';
import { readRows, type Row } from '../input/read-rows.js';
import { AddedText } from './added-text.js';
import { ADDED_COLUMNS, NO_ADDRESS, type Kind, type VerdictCells } from './verdict-cells.js';

const NOTHING: readonly string[] = ADDED_COLUMNS.map(() => '');
const LF = 0x0a;
const CR = 0x0d;

/**
 * The octets of a file with the verdicts as columns at the end of each row. Everything that the file held is copied, not
 * written anew: byte order mark, cells with their quotes, delimiters and line ends.
 * @param only the kind of rows to write, with the column names; null: all, in the order of the file
 */
export async function* outputOctets(
  list: ListFile,
  verdictOf: (entry: number) => VerdictCells,
  only: Kind | null,
): AsyncGenerator<Buffer> {
  const { text, dialect, header, entryOfRow } = list;
  const added = new AddedText(text, dialect, list.columnCount);
  yield text.preamble;
  let number = -1;
  for await (const row of readRows(text.octets(), dialect)) {
    number += 1;
    const cells = addedTo(row);
    if (cells === 'left out') continue;
    if (cells === 'unchanged') {
      yield text.asInFile(row.octets);
      continue;
    }
    const end = endOf(row.octets);
    yield text.asInFile(row.octets.subarray(0, end));
    yield added.after(row.cells.length, cells);
    yield text.asInFile(row.octets.subarray(end));
  }

  function addedTo({ cells, octets }: Row): readonly string[] | 'left out' | 'unchanged' {
    if (number === header) return ADDED_COLUMNS;
    // Titles above the column names.
    if (header !== null && number < header) return 'unchanged';
    const entry = entryOfRow[number]!;
    if (entry >= 0 || entry === TOO_LONG) {
      const verdict = entry === TOO_LONG ? NO_ADDRESS : verdictOf(entry);
      return only === null || verdict.kind === only ? verdict.cells : 'left out';
    }
    if (only !== null) return 'left out';
    return cells.length === 1 && endOf(octets) === 0 ? 'unchanged' : NOTHING;
  }

  function endOf(octets: Buffer): number {
    let end = octets.length;
    if (octets[end - 1] === LF) {
      end -= 1;
      if (octets[end - 1] === CR) end -= 1;
    } else if (dialect.lineEnd === 'cr' && octets[end - 1] === CR) end -= 1;
    return end;
  }
}
