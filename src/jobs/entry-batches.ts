import type { NewEntry } from './new-entries.js';

/** Entries of one statement, and the position of the first. */
export interface EntryBatch {
  readonly from: number;
  readonly entries: readonly NewEntry[];
}

const MAX_ROWS = 1000;
/** Maximum size of one statement before quoting; other requests are served between statements. */
const MAX_CHARACTERS = 128 * 1024;

/** Splits entries into batches for one statement each. An entry above the limit gets its own batch. */
export function* entryBatches(entries: readonly NewEntry[]): Generator<EntryBatch> {
  let from = 0;
  let characters = 0;
  for (let i = 0; i < entries.length; i++) {
    const { sent, result } = entries[i]!;
    const own = (sent?.length ?? 0) + (result?.length ?? 0);
    if (i > from && (i - from === MAX_ROWS || characters + own > MAX_CHARACTERS)) {
      yield { from, entries: entries.slice(from, i) };
      from = i;
      characters = 0;
    }
    characters += own;
  }
  if (from < entries.length) yield { from, entries: entries.slice(from) };
}
