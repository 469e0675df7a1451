import type { Mode } from '../../../src/engine/verdict/result.js';
import type { Checks, Expected } from './checks.js';

/** One thing a server does, and what has to become of it. */
export interface Behaviour {
  /** What the server does, as the end of a sentence. */
  readonly when: string;
  readonly email: string;
  /** What the result says in standard mode and, with what `enhanced` adds or changes, in enhanced mode. */
  readonly result: Expected;
  readonly enhanced?: Expected;
}

/** One test per behaviour and mode. @param checks asked only once the tests run */
export function itJudges(behaviours: readonly Behaviour[], checks: () => Checks): void {
  for (const mode of ['standard', 'enhanced'] as const satisfies Mode[]) {
    it.each(behaviours)(`${mode}: $when: $result.result`, async ({ email, result, enhanced }) => {
      const expected = mode === 'standard' ? { smtp_diagnosis: null, ...result } : { ...result, ...enhanced };
      expect(await checks().misses(email, mode, expected)).toEqual([]);
    });
  }
}

export const VALID = { result: 'valid', reason: 'mailbox_accepts', deliverable: true, recommendation: 'allow' };
export const NOT_FOUND = { result: 'invalid', reason: 'mailbox_not_found', deliverable: false, recommendation: 'deny' };
export const CATCH_ALL = {
  result: 'catch_all',
  reason: 'catch_all_domain',
  deliverable: null,
  recommendation: 'review',
};
export const NO_MX = { result: 'invalid', reason: 'no_mx', deliverable: false, mx: false };
export const DEFERRED = { result: 'unknown', reason: 'greylisted', deliverable: null, recommendation: 'review' };
export const REFUSED_US = {
  result: 'unknown',
  reason: 'smtp_unreachable',
  deliverable: null,
  recommendation: 'review',
};
/** `smtp_diagnosis` of a refusal of us. */
export const POLICY = { smtp_diagnosis: 'policy_block' };
