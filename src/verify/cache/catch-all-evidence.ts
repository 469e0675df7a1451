import type { CheckFacts } from '../../engine/check.js';

/**
 * Evidence that a check gives about the domain: `catch_all` if both the address and a random recipient were accepted
 * (row 12 of decisions 5.1), `tells_apart` if the random recipient was refused, else null. A host that accepts a random
 * recipient but refuses the address knows at least some of its mailboxes, so it is no catch-all.
 */
export function catchAllEvidence({ probe }: CheckFacts): 'catch_all' | 'tells_apart' | null {
  if (probe === null || probe.ending !== 'reply') return null;
  if (probe.random === 'refused') return 'tells_apart';
  return probe.class === 'accepted' && probe.random === 'accepted' ? 'catch_all' : null;
}
