import { parseReplyLine } from '../reply-line.js';
import { classifyReply } from './classify-reply.js';

const CONTEXT = {
  stage: 'rcpt',
  recipient: 'user@example.com',
  ownNames: ['probe@mailvet.example', '192.0.2.1'],
  provider: null,
} as const;

/** As a real Exim in front of a real Postfix writes them: whom the server behind refused decides. */
describe('a server that refuses for another one, or for our haste', () => {
  it.each([
    ['mailbox_not_found', 550, ['Previous (cached) callout verification failure']],
    ['mailbox_not_found', 550, ['Callout verification failed:', '550 5.1.1 <user@example.com>: User unknown']],
    ['policy_block', 550, ['(result of an earlier callout reused).']],
    [
      'policy_block',
      550,
      [
        'Verification failed for <probe@mailvet.example>',
        'Previous (cached) callout verification failure',
        'Sender verify failed',
      ],
    ],
    ['policy_block', 450, ['Error: too many recipients from 192.0.2.1']],
  ])('%s: %s %j', (diagnosis, code, lines) => {
    expect(classifyReply({ code, enhanced: null, lines, mixed: false }, CONTEXT).diagnosis).toBe(diagnosis);
  });
});

/** As a Postfix writes them that asks the server behind and does not reach it. */
describe('a server that does not reach the one behind it', () => {
  const judged = (text: string) => {
    const { code, enhanced, text: line } = parseReplyLine(text)!;
    return classifyReply({ code, enhanced, lines: [line], mixed: false }, CONTEXT);
  };

  it.each([
    '550 5.4.6 <user@example.com>: Recipient address rejected: undeliverable address: mail for example.com loops back to myself',
    '550 5.1.1 <user@example.com>: Recipient address rejected: undeliverable address: mail for b.example loops back to myself',
    '550 5.1.1 <user@example.com>: Recipient address rejected: unverified address: unknown mail transport error',
    '550 5.1.1 <user@example.com>: Recipient address rejected: undeliverable address: mail transport unavailable',
  ])('says nothing of the mailbox: %s', (text) => {
    expect(judged(text)).toMatchObject({ class: 'server_fault', diagnosis: null });
  });

  it.each(['550 5.1.1 Temporary lookup failure', '550 5.1.1 Database error'])(
    'does not prove by its code alone that the mailbox is missing: %s',
    (text) => {
      expect(judged(text)).toMatchObject({ class: 'mailbox_not_found', needsWitness: 'anybody' });
    },
  );

  it('still speaks of the mailbox in a code, or in words', () => {
    expect(judged('550 5.1.1 RESOLVER.ADR.RecipNotFound; not found').needsWitness).toBeUndefined();
    expect(judged('550 5.1.1 Backend error: user unknown').needsWitness).toBeUndefined();
  });
});

/** Each has a code or words that elsewhere speak of a mailbox. */
describe('a server that refuses all who ask', () => {
  it.each([
    '550 5.1.1 verification probes are not allowed here',
    '550 Recipient verification disabled',
    '550 We do not allow address harvesting',
    '550 Cooldown in effect',
    '550 Use smarthost',
    '550 tor exit node',
    '550 Message quota exceeded for 192.0.2.77',
    '452 4.2.2 Quota exceeded for your host',
    '550 Sender mailbox does not exist',
  ])('says nothing of the mailbox: %s', (text) => {
    const { code, enhanced, text: line } = parseReplyLine(text)!;
    const judged = classifyReply({ code, enhanced, lines: [line], mixed: false }, CONTEXT);
    expect(judged).toMatchObject({ subject: 'us', diagnosis: 'policy_block' });
  });

  it('is told from one whose mailbox is full', () => {
    const lines = ['Quota exceeded for user@example.com'];
    expect(classifyReply({ code: 550, enhanced: null, lines, mixed: false }, CONTEXT).diagnosis).toBe('mailbox_full');
  });
});
