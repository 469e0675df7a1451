/** Verdicts of a list in columns, one value per entry in the order they were sent. */
export interface EntryResults {
  readonly email: readonly string[];
  /** The verdict; `invalid` for an entry that is no address, empty for one that our failure left without a verdict. */
  readonly result: readonly string[];
  readonly reason: readonly string[];
  readonly deliverable: readonly (boolean | null)[];
  readonly decision: readonly string[];
  readonly score: readonly (number | null)[];
  readonly suggestion: readonly string[];
  readonly provider: readonly string[];
}

/** Which rows go into a download. */
export const SELECTIONS = ['deliverable', 'everything', 'review'] as const;
export type Selection = (typeof SELECTIONS)[number];

export const ADDED_COLUMNS = [
  'mailvet_result',
  'mailvet_reason',
  'mailvet_deliverable',
  'mailvet_decision',
  'mailvet_score',
  'mailvet_suggested_correction',
  'mailvet_provider',
] as const;

const NOTHING = ADDED_COLUMNS.map(() => '');
/** Of an entry that was too long to be sent. */
const NO_ADDRESS = ['invalid', 'bad_syntax', 'false', 'deny', '', '', ''];

/** What is added to the row of an entry. */
export function addedCells(results: EntryResults, entry: number): readonly string[] {
  const deliverable = results.deliverable[entry];
  const score = results.score[entry];
  return [
    results.result[entry] ?? '',
    results.reason[entry] ?? '',
    deliverable === null || deliverable === undefined ? '' : String(deliverable),
    results.decision[entry] ?? '',
    score === null || score === undefined ? '' : String(score),
    results.suggestion[entry] ?? '',
    results.provider[entry] ?? '',
  ];
}

/** What is added to a row without an entry. */
export function addedWithoutEntry(isSent: boolean): readonly string[] {
  return isSent ? NOTHING : NO_ADDRESS;
}

/** True if the row of an entry belongs into a download of `selection`. */
export function isSelected(results: EntryResults, entry: number, selection: Selection): boolean {
  if (selection === 'everything') return true;
  return selection === 'deliverable' ? results.deliverable[entry] === true : results.decision[entry] === 'review';
}
