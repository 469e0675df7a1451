import { RESULTS, type Result } from '../../engine/verdict/result.js';
import { fields, table } from '../../platform/cli/table.js';
import { TOO_LONG, type ListFile } from '../input/list-file.js';
import { NO_ADDRESS, type Kind, type VerdictCells } from './verdict-cells.js';

/** What a run found, in rows of the input. */
export interface Summary {
  readonly in: string;
  readonly out: string;
  /** Rows with an address, or a text that is none. */
  readonly rows: number;
  /** Different ones. */
  readonly entries: number;
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
): Pick<Summary, 'rows' | 'entries' | 'results' | 'only' | 'written'> {
  const results = Object.fromEntries(RESULTS.map((result) => [result, 0])) as Record<Result, number>;
  let [rows, written] = [0, 0];
  for (const entry of entryOfRow) {
    if (entry < 0 && entry !== TOO_LONG) continue;
    const { result, kind } = entry === TOO_LONG ? NO_ADDRESS : verdictOf(entry);
    rows += 1;
    results[result] += 1;
    if (only === null || kind === only) written += 1;
  }
  return { rows, entries: entries.length, results, only, written };
}

export function summaryText({ out, rows, entries, results, only, written, failed, why }: Summary): string {
  const found = RESULTS.filter((result) => results[result] > 0);
  const shares = found.map((result) => [result, results[result], `${((results[result] / rows) * 100).toFixed(1)} %`]);
  const sections = [
    table(['RESULT', 'ROWS', 'SHARE'], [...shares, ['all', rows, '']]),
    fields({
      'different entries': entries,
      'rows written': written,
      ...(only !== null && { only }),
      output: out === '-' ? 'stdout' : out,
      ...(failed > 0 && { 'without a verdict': `${failed}, for a reason of our own: ${why}` }),
    }),
  ];
  if (failed > 0 && out !== '-')
    sections.push('To ask about these alone, type the same again. What is wrong here: node dist/cli doctor');
  return sections.join('\n\n');
}
