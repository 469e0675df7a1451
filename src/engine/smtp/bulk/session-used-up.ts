import type { Answer } from '../answer.js';
import type { Classification } from '../classification.js';
import type { Reply } from '../reply.js';

const FAILED_RECIPIENTS =
  /\b(?:too many|number of|excessive|maximum|max|no more) (?:bad|failed|invalid|non-?exist(?:ent|ing)|rejected|undeliverable|unknown|wrong) (?:addresses|mailboxes|rcpts?|recipients|users)\b/i;
const ERRORS = /\btoo many (?:\w+ ){0,2}errors\b/i;

/**
 * True when the refusal of a later recipient is about what the session or transaction has taken, not about this
 * recipient: 452 and 4.5.3 (RFC 5321 4.5.3.1.10), "one recipient at a time", too many errors, or a 421 that closes the channel.
 */
export function speaksOfSession(reply: Reply, judged: Classification): boolean {
  const { code, enhanced } = reply;
  if (judged.class === 'too_many_recipients' || speaksOfErrors(reply)) return true;
  if (code === 421) return judged.subject !== 'mailbox' && judged.class !== 'greylisted';
  return /^[45]\.5\.3$/.test(enhanced ?? '') || (code === 452 && judged.class === 'unattributed');
}

/** Whether the host says that there were too many errors, or unknown recipients: it hangs up, or refuses all others. */
export function speaksOfErrors({ code, lines }: Reply): boolean {
  return (code >= 400 && ERRORS.test(lines.join(' '))) || countsRecipients({ code, lines });
}

/** Whether the host says that there were too many unknown recipients: at the first of a session it counts those before it. */
export function countsRecipients({ code, lines }: Pick<Reply, 'code' | 'lines'>): boolean {
  return code >= 400 && FAILED_RECIPIENTS.test(lines.join(' '));
}

/** Index of the answer that ended the session; null when it goes on. */
export function endOf(answers: readonly Answer[]): number | null {
  const end = answers.findIndex(
    (answer) => answer.kind !== 'reply' || answer.reply.code === 421 || speaksOfErrors(answer.reply),
  );
  return end === -1 ? null : end;
}
