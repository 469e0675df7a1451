import type { Answer } from './answer.js';
import { readReplyText } from './classify/reply-text.js';
import type { Reply } from './reply.js';

/**
 * What is known of another recipient of the domain at the same host, if a refusal does not prove whom it is about
 * (decisions 6.12):
 * - `recipient_accepted`: one was accepted in this session, or in this bulk run;
 * - `recipient_accepted_before`: one was accepted from the same egress lately; or within the last days, and postmaster is
 *   accepted now;
 * - `postmaster_accepted`: none was, and postmaster is accepted;
 * - `postmaster_refused_alike`: postmaster is refused alike now, or the recipient that was accepted earlier in a bulk run;
 * - `inconclusive`: postmaster got another answer, or could not be asked about.
 */
export const WITNESS_FINDINGS = [
  'recipient_accepted',
  'recipient_accepted_before',
  'postmaster_accepted',
  'postmaster_refused_alike',
  'inconclusive',
] as const;
export type WitnessFinding = (typeof WITNESS_FINDINGS)[number];

/** Every domain has a postmaster (RFC 5321 4.5.1). */
export function postmasterOf(domain: string): string {
  return `postmaster@${domain}`;
}

export function isPostmaster(path: string): boolean {
  return path.startsWith('postmaster@');
}

/** An answer, its recipient, and our own names that it may contain. */
export interface AnswerAbout {
  readonly answer: Answer;
  readonly recipient: string;
  readonly ownNames: readonly string[];
}

/** Concludes from the answer about postmaster on a refusal. */
export function findingOf(refused: AnswerAbout, postmaster: AnswerAbout): WitnessFinding {
  const { answer } = postmaster;
  if (answer.kind !== 'reply' || answer.stage !== 'rcpt') return 'inconclusive';
  if (answer.reply.code < 300) return 'postmaster_accepted';
  return isSameRefusal(refused, postmaster) ? 'postmaster_refused_alike' : 'inconclusive';
}

/** True for the same code and the same words, without the addresses, numbers and names of one session. */
function isSameRefusal(one: AnswerAbout, other: AnswerAbout): boolean {
  if (one.answer.kind !== 'reply' || other.answer.kind !== 'reply') return false;
  if (one.answer.reply.code !== other.answer.reply.code) return false;
  const named = new Set(
    [one, other].map(({ recipient }) => recipient.slice(0, recipient.lastIndexOf('@')).toLowerCase()),
  );
  const wordsOf = ({ recipient, ownNames }: AnswerAbout, reply: Reply): string =>
    readReplyText(reply, { recipient, ownNames })
      .words.filter((word) => !/\d/.test(word) && !named.has(word))
      .join(' ');
  return wordsOf(one, one.answer.reply) === wordsOf(other, other.answer.reply);
}
