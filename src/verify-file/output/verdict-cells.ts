import type { Assessment } from '../../engine/assess.js';
import type { Result } from '../../engine/verdict/result.js';
import type { Knowledge } from '../../engine/assess.js';

/** The columns that are added to each row; the console's downloads have the same. */
export const ADDED_COLUMNS = [
  'mailvet_result',
  'mailvet_reason',
  'mailvet_deliverable',
  'mailvet_decision',
  'mailvet_score',
  'mailvet_suggested_correction',
  'mailvet_provider',
] as const;

/** Which rows go into the output. Each row is one of them. */
export const KINDS = ['deliverable', 'risky', 'undeliverable', 'unknown'] as const;
export type Kind = (typeof KINDS)[number];

/** What is added to a row. */
export interface VerdictCells {
  readonly result: Result;
  readonly kind: Kind;
  readonly cells: readonly string[];
}

/** Of a cell that is too long for an address. */
export const NO_ADDRESS: VerdictCells = {
  result: 'invalid',
  kind: 'undeliverable',
  cells: ['invalid', 'bad_syntax', 'false', 'deny', '', '', ''],
};

/** Of an address that our own failure left without a verdict. */
export const NO_VERDICT: VerdictCells = {
  result: 'unknown',
  kind: 'unknown',
  cells: ['unknown', '', '', 'review', '', '', ''],
};

export function verdictCells(assessment: Assessment, findProvider: Knowledge['findProvider']): VerdictCells {
  const { result, reason, deliverable, decision, score, suggestedCorrection, mxRecord } = assessment;
  const provider = mxRecord === null ? null : findProvider(mxRecord);
  return {
    result,
    kind: KIND_OF[result],
    cells: [
      result,
      reason ?? '',
      deliverable === null ? '' : String(deliverable),
      decision.recommendation,
      score === null ? '' : String(score),
      suggestedCorrection ?? '',
      provider?.id ?? '',
    ],
  };
}

const KIND_OF: Readonly<Record<Result, Kind>> = {
  valid: 'deliverable',
  catch_all: 'risky',
  disposable: 'risky',
  role: 'risky',
  invalid: 'undeliverable',
  unknown: 'unknown',
};
