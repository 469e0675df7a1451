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
