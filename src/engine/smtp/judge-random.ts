import type { Answer } from './answer.js';
import type { Classification } from './classification.js';
import type { ProbeFacts } from './prober.js';

/** Classes of a refusal that mean the host has no such mailbox. */
const UNKNOWN_MAILBOX = new Set<Classification['class']>(['mailbox_not_found', 'mailbox_disabled']);
/** Refusals that mean the mailbox if another one is accepted and the text says nothing. */
const BARE_MAILBOX_CODES = new Set([550, 551, 553]);

/**
 * Judges the answer to the random recipient. `refused` only if the host said that there is no such mailbox; a deferral,
 * a refusal of us, "full" or no answer is `inconclusive`, which never lowers a valid address.
 * @param othersAccepted the host accepted another recipient: proves that a refusal with an unproven subject is about
 * its own
 */
export function judgeRandom(
  answer: Answer,
  judged: Classification | null,
  othersAccepted: boolean,
): ProbeFacts['random'] {
  if (answer.stage !== 'rcpt' || answer.kind !== 'reply' || judged === null) return 'inconclusive';
  const { code } = answer.reply;
  if (code < 300) return 'accepted';
  if (code < 500) return 'inconclusive';
  if (judged.needsWitness !== undefined && !othersAccepted) return 'inconclusive';
  if (UNKNOWN_MAILBOX.has(judged.class)) return 'refused';
  return judged.class === 'unattributed' && BARE_MAILBOX_CODES.has(code) ? 'refused' : 'inconclusive';
}

/**
 * True if the host judged the session instead of the random recipient, which is then worth asking again in its own
 * session (hosts that hang up after a refusal, or take one recipient per session).
 */
export function wasSessionUsedUp(answer: Answer, judged: Classification | null): boolean {
  if (answer.kind !== 'reply') return answer.kind === 'closed';
  const { code, enhanced } = answer.reply;
  return code === 421 || code === 452 || judged?.class === 'too_many_recipients' || /^[45]\.5\.3$/.test(enhanced ?? '');
}
