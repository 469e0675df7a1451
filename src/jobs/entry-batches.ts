import type { NewEntry } from './new-entries.js';

/** Entries of one statement, and the position of the first. */
export interface EntryBatch {
  readonly from: number;
  readonly entries: readonly NewEntry[];
}

const MAX_ROWS = 1000;
/** Characters of one statement, before they are quoted: others are served before the next one is written. */
const MAX_CHARACTERS = 128 * 1024;

/** Cuts entries into what one statement takes. An entry that is larger than that comes alone. */
export function* entryBatches(entries: readonly NewEntry[]): Generator<EntryBatch> {
  let from = 0;
  let characters = 0;
  for (let i = 0; i < entries.length; i++) {
    const own = charactersOf(entries[i]!);
    if (i > from && (i - from === MAX_ROWS || characters + own > MAX_CHARACTERS)) {
      yield { from, entries: entries.slice(from, i) };
      from = i;
      characters = 0;
    }
    characters += own;
  }
  if (from < entries.length) yield { from, entries: entries.slice(from) };
}

function charactersOf({ sent, result }: NewEntry): number {
  return (sent?.length ?? 0) + (result?.length ?? 0);
}
