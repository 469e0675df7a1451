import type { EntryResults } from './file/added-columns';

export interface ResultFilter {
  /** A piece of the address. */
  readonly text: string;
  /** Verdicts to show; empty: all. */
  readonly verdicts: readonly string[];
  /** A reason, or empty for all. */
  readonly reason: string;
}

export type SortKey = Exclude<keyof EntryResults, 'deliverable'>;
export interface ResultSort {
  readonly key: SortKey;
  readonly descending: boolean;
}

/** The entries to show, in the order to show them. Ten thousand take a few milliseconds. */
export function filterResults(results: EntryResults, filter: ResultFilter, sort: ResultSort | null): number[] {
  const text = filter.text.trim().toLowerCase();
  const verdicts = new Set(filter.verdicts);
  const shown: number[] = [];
  for (let entry = 0; entry < results.email.length; entry++) {
    if (verdicts.size > 0 && !verdicts.has(results.result[entry] ?? '')) continue;
    if (filter.reason !== '' && results.reason[entry] !== filter.reason) continue;
    if (text !== '' && !(results.email[entry] ?? '').toLowerCase().includes(text)) continue;
    shown.push(entry);
  }
  return sort === null ? shown : sorted(shown, results[sort.key], sort.descending);
}

function sorted(entries: number[], column: readonly (string | number | null)[], descending: boolean): number[] {
  const direction = descending ? -1 : 1;
  return entries.sort((a, b) => {
    const one = column[a] ?? '';
    const other = column[b] ?? '';
    if (one === other) return a - b;
    // What is not known comes last in both directions.
    if (one === '') return 1;
    if (other === '') return -1;
    return one < other ? -direction : direction;
  });
}
