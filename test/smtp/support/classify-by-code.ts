import type { Classification, ReplyContext } from '../../../src/engine/smtp/classification.js';
import type { Reply } from '../../../src/engine/smtp/reply.js';

/**
 * A classifier for tests of the dialogue, which must not depend on how well texts are read: a few codes, and nothing of the
 * mailbox before RCPT.
 */
export function classifyByCode(reply: Reply, context: ReplyContext): Classification {
  const permanent = reply.code >= 500;
  const as = (
    name: Classification['class'],
    subject: Classification['subject'],
    diagnosis: Classification['diagnosis'] = null,
  ): Classification => ({ class: name, subject, permanent, diagnosis, rule: `test-${name}`, retryAfterSeconds: null });
  if (context.stage === 'rcpt' && reply.code < 300) return as('accepted', 'mailbox', 'accepted');
  if (reply.enhanced === '5.7.133') return as('recipient_restricted', 'mailbox', 'policy_block');
  if (reply.code === 421 || /^[45]\.7\./.test(reply.enhanced ?? '')) return as('policy', 'us', 'policy_block');
  if (context.stage !== 'rcpt') return as('unattributed', 'nobody');
  if (/^[45]\.1\./.test(reply.enhanced ?? '') && permanent)
    return as('mailbox_not_found', 'mailbox', 'mailbox_not_found');
  if (/^[45]\.2\.2$/.test(reply.enhanced ?? '')) return as('mailbox_full', 'mailbox', 'mailbox_full');
  if (/^[45]\.5\.3$/.test(reply.enhanced ?? '')) return as('too_many_recipients', 'server');
  if (reply.code === 451) return as('greylisted', 'nobody', 'greylist_deferred');
  return as('unattributed', 'nobody');
}
