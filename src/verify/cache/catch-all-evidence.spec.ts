import { checkFacts, probeFacts, refusal, silence } from '../../../test/factories/check-facts.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import { catchAllEvidence } from './catch-all-evidence.js';

it.each<[string, ProbeFacts | null, ReturnType<typeof catchAllEvidence>]>([
  ['no probe', null, null],
  ['a random recipient that was not asked about', probeFacts(), null],
  ['both accepted', probeFacts({ random: 'accepted' }), 'catch_all'],
  ['the random one refused', probeFacts({ random: 'refused' }), 'tells_apart'],
  ['nothing certain about the random one', probeFacts({ random: 'inconclusive' }), null],
  ['both refused', { ...refusal('mailbox_not_found', 550), random: 'refused' }, 'tells_apart'],
  ['the address refused, the random one accepted', { ...refusal('mailbox_not_found', 550), random: 'accepted' }, null],
  ['the address deferred, the random one accepted', { ...refusal('greylisted', 451), random: 'accepted' }, null],
  ['silence', silence('timeout', 'rcpt'), null],
])('%s', (_, probe, evidence) => {
  expect(catchAllEvidence(checkFacts(probe))).toBe(evidence);
});
