import type { Reason, Recommendation, Verdict } from './result.js';

export interface Decision {
  readonly recommendation: Recommendation;
  readonly reasons: readonly Reason[];
}

/** Advice per result: deny `invalid` and `disposable`, allow only a proven mailbox. */
const RECOMMENDED: Record<Verdict['result'], Recommendation> = {
  valid: 'allow',
  invalid: 'deny',
  disposable: 'deny',
  role: 'review',
  catch_all: 'review',
  unknown: 'review',
};

/**
 * The advice for a verdict. A spam-trap host turns `allow` into `review`, never into `deny` (decisions 5.2); parked,
 * relay and freemail domains do not change it.
 */
export function decide({ result, reason }: Verdict, spamTrap: boolean): Decision {
  const recommended = RECOMMENDED[result];
  const recommendation = spamTrap && recommended === 'allow' ? 'review' : recommended;
  const reasons: Reason[] = reason === null ? [] : [reason];
  if (spamTrap && recommendation === 'review' && reason !== 'spam_trap') reasons.push('spam_trap');
  return { recommendation, reasons };
}
