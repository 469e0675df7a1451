import type { VerdictCounts } from '../../billing/usage/usage-counts.repository.js';
import { RESULTS, type Result } from '../../engine/verdict/result.js';

/** What an address of each verdict is worth, in points. */
export const GRADE_POINTS: Readonly<Record<Result, number>> = {
  valid: 100,
  role: 60,
  catch_all: 50,
  unknown: 30,
  disposable: 0,
  invalid: 0,
};
/** Least points of each letter. */
export const GRADE_LETTERS = [
  ['A', 90],
  ['B', 80],
  ['C', 65],
  ['D', 50],
  ['F', 0],
] as const;

const GRADE_FORMULA = `The mean over all verdicts of ${RESULTS.map(
  (result) => `${GRADE_POINTS[result]} for ${result}`,
).join(', ')}. ${GRADE_LETTERS.map(([letter, least]) => `${letter} from ${least}`).join(', ')}.`;

/** The quality of a list; null when no entry has a verdict. */
export function gradeOf(verdicts: VerdictCounts): { letter: string; points: number; formula: string } | null {
  const all = RESULTS.reduce((sum, result) => sum + verdicts[result], 0);
  if (all === 0) return null;
  const points = Math.floor(RESULTS.reduce((sum, result) => sum + GRADE_POINTS[result] * verdicts[result], 0) / all);
  const letter = GRADE_LETTERS.find(([, least]) => points >= least)![0];
  return { letter, points, formula: GRADE_FORMULA };
}
