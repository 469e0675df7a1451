import type { Answer } from './answer.js';
import type { Classification } from './classification.js';
import type { ProbeFacts } from './prober.js';

/** A random recipient that a host has no mailbox for, in the words of the classifier. */
const UNKNOWN_MAILBOX = new Set<Classification['class']>(['mailbox_not_found', 'mailbox_disabled']);
/** Refusals that mean the mailbox where another one is accepted and the text says nothing. */
const BARE_MAILBOX_CODES = new Set([550, 551, 553]);

/**
 * What the answer to the random recipient shows. `refused` only where the host said that there is no such mailbox;
 * deferred, refused for our own sake, "full" or unanswered is `inconclusive`, which never lowers a valid address.
 * @param othersAccepted another recipient was accepted there: that proves whom a refusal speaks of that does not say so
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
 * True when it was the session that was used up, not the random recipient that was judged: then it is worth asking again on
 * a session of its own (hosts that hang up after a refusal, or take one recipient per session).
 */
export function wasSessionUsedUp(answer: Answer, judged: Classification | null): boolean {
  if (answer.kind !== 'reply') return answer.kind === 'closed';
  const { code, enhanced } = answer.reply;
  return code === 421 || code === 452 || judged?.class === 'too_many_recipients' || /^[45]\.5\.3$/.test(enhanced ?? '');
}
