import type { Answer } from './answer.js';
import type { Classification, ReplyContext } from './classification.js';
import { judgeRecipient } from './judge-recipient.js';

const CONTEXT = { ownNames: ['probe.example.net'], provider: null };
const said = (code: number): Answer => ({
  kind: 'reply',
  stage: 'rcpt',
  reply: { code, enhanced: '2.1.5', lines: ['ok'], mixed: false },
});
const accepted: Classification = {
  class: 'accepted',
  subject: 'mailbox',
  permanent: false,
  diagnosis: 'accepted',
  rule: 'test',
  retryAfterSeconds: null,
};

describe('judgeRecipient', () => {
  it('passes the stage and the recipient to the classifier', () => {
    let told: ReplyContext | null = null;
    judgeRecipient(said(250), { random: 'not_asked' }, 'real@example.com', CONTEXT, (_, context) => {
      told = context;
      return accepted;
    });
    expect(told).toEqual({ ...CONTEXT, stage: 'rcpt', recipient: 'real@example.com' });
  });

  it('returns the classification with the codes', () => {
    expect(judgeRecipient(said(250), { random: 'not_asked' }, 'real@example.com', CONTEXT, () => accepted)).toEqual({
      stage: 'rcpt',
      ending: 'reply',
      code: 250,
      enhanced: '2.1.5',
      class: 'accepted',
      subject: 'mailbox',
      permanent: false,
      diagnosis: 'accepted',
      rule: 'test',
      retryAfterSeconds: null,
    });
  });

  it.each([
    ['not_asked', 'unattributed'],
    ['inconclusive', 'unattributed'],
    ['accepted', 'accepted'],
    ['refused', 'accepted'],
  ] as const)('with a random recipient %s, a 252 is %s', (random, expected) => {
    const judged = judgeRecipient(said(252), { random }, 'real@example.com', CONTEXT, () => accepted);
    expect(judged).toMatchObject({ class: expected, code: 252, permanent: false });
  });

  it('returns no classification without a reply', () => {
    const judged = judgeRecipient(
      { kind: 'closed', stage: 'mail' },
      { random: 'not_asked' },
      'real@example.com',
      CONTEXT,
      () => {
        throw new Error('asked about nothing');
      },
    );
    expect(judged).toMatchObject({ stage: 'mail', ending: 'closed', code: null, class: null, rule: null });
  });
});
