import { RESULTS, type Result } from '../../engine/verdict/result.js';
import { table } from '../../platform/cli/table.js';
import { TOO_LONG, type ListFile } from '../input/list-file.js';
import { NO_ADDRESS, type Kind, type VerdictCells } from './verdict-cells.js';

/** What a run found, in rows of the input. */
export interface Summary {
  readonly in: string;
  readonly out: string;
  /** Rows with an address, or a text that is none. */
  readonly rows: number;
  /** Distinct ones. */
  readonly addresses: number;
  readonly results: Readonly<Record<Result, number>>;
  readonly only: Kind | null;
  readonly written: number;
  /** Addresses that our own failure left without a verdict, and the last failure. */
  readonly failed: number;
  readonly why: string | null;
}

export function summarize(
  { entryOfRow, entries }: ListFile,
  verdictOf: (entry: number) => VerdictCells,
  only: Kind | null,
): Pick<Summary, 'rows' | 'addresses' | 'results' | 'only' | 'written'> {
  const results = Object.fromEntries(RESULTS.map((result) => [result, 0])) as Record<Result, number>;
  let [rows, written] = [0, 0];
  for (const entry of entryOfRow) {
    if (entry < 0 && entry !== TOO_LONG) continue;
    const { result, kind } = entry === TOO_LONG ? NO_ADDRESS : verdictOf(entry);
    rows += 1;
    results[result] += 1;
    if (only === null || kind === only) written += 1;
  }
  return { rows, addresses: entries.length, results, only, written };
}

export function summaryText({ out, rows, addresses, results, only, written, failed, why }: Summary): string {
  const lines = RESULTS.filter((result) => results[result] > 0).map((result) => [
    result,
    results[result],
    `${((results[result] / rows) * 100).toFixed(1)} %`,
  ]);
  const which = only === null ? 'rows' : `rows that are ${only}`;
  return [
    table(['RESULT', 'ROWS', 'SHARE'], [...lines, ['all', rows, '']]),
    '',
    `${addresses} different addresses. ${written} ${which} in ${out === '-' ? 'the output' : out}.`,
    ...(failed === 0
      ? []
      : [
          `${failed} addresses stayed unknown for a reason of our own: ${why}.`,
          ...(out === '-'
            ? []
            : ['Type the same again to ask about them alone. What is wrong here: node dist/cli doctor']),
        ]),
  ].join('\n');
}
