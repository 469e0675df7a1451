import type { Classification } from '../classification.js';
import type { Reply } from '../reply.js';

/**
 * True when the refusal of a later recipient is about what the session or transaction has taken, not about this
 * recipient: 452 and 4.5.3 (RFC 5321 4.5.3.1.10), "one recipient at a time", or a 421 that closes the channel.
 */
export function speaksOfSession({ code, enhanced }: Reply, judged: Classification): boolean {
  if (judged.class === 'too_many_recipients') return true;
  if (code === 421) return judged.subject !== 'mailbox' && judged.class !== 'greylisted';
  return /^[45]\.5\.3$/.test(enhanced ?? '') || (code === 452 && judged.class === 'unattributed');
}
