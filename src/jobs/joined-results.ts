/** Entries whose results share a row of `job_results`. */
export const RESULTS_TOGETHER = 100;

/** The JSON text of an entry's result. */
export interface EntryResultText {
  readonly position: number;
  readonly result: string;
}

/** The results of entries from `position` on, joined for a row of `job_results`. */
export interface JoinedResults {
  readonly position: number;
  /** A line for each entry: JSON has no line breaks. */
  readonly results: string;
}

/** Returns the position of the row that holds the result of the entry at `position`. */
export function rowOf(position: number): number {
  return position - (position % RESULTS_TOGETHER);
}

/** Joins results of one row. Entries that are left out get an empty line. */
export function joinResults(entries: readonly EntryResultText[]): string {
  const lines: string[] = [];
  for (const { position, result } of entries) lines[position % RESULTS_TOGETHER] = result;
  return lines.join('\n');
}

/** Picks the results at positions from `from` (inclusive) to `to` (exclusive), in order; null where the rows have none. */
export function splitResults(rows: readonly JoinedResults[], from: number, to: number): (string | null)[] {
  const found = Array.from({ length: to - from }, (): string | null => null);
  for (const { position, results } of rows) {
    for (const [i, line] of results.split('\n').entries()) {
      const at = position + i - from;
      if (at >= 0 && at < found.length && line !== '') found[at] = line;
    }
  }
  return found;
}
