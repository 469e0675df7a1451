import { parseReplyLine } from '../reply-line.js';
import { classifyReply } from './classify-reply.js';

function judge(line: string): ReturnType<typeof classifyReply> {
  const { code, enhanced, text } = parseReplyLine(line)!;
  const context = {
    stage: 'rcpt',
    recipient: 'user@example.com',
    ownNames: ['probe@mailvet.example'],
    provider: null,
  } as const;
  return classifyReply({ code, enhanced, lines: [text], mixed: false }, context);
}

describe('a 5.1.1 beside words that were not understood', () => {
  it.each(['550 5.1.1 คุณไม่ได้รับอนุญาต', '550 5.1.1 Máy chủ của bạn bị chặn', '550 5.1.1 Problem with 192.0.2.7'])(
    'needs a witness: %s',
    (line) => {
      expect(judge(line)).toMatchObject({ class: 'mailbox_not_found', needsWitness: 'anybody' });
    },
  );

  it.each([
    '550 5.1.1',
    '550 5.1.1 no',
    '550 5.1.1 <jürgen@example.com>: it’s refused',
    '550 5.1.1 <user@example.com>',
    '550 5.1.1 Usuário desconhecido',
  ])('is told from %s', (line) => expect(judge(line).needsWitness).toBeUndefined());
});

describe('mailbox words about the sender', () => {
  it.each([
    '550 5.7.1 Unknown user agent',
    '550 Callback to sender failed',
    '550 5.1.1 Bounces are not accepted for this user',
    '550 Mailbox of the sender is full',
    '550 5.1.1 Message size exceeds what the recipient takes',
    '550 Invalid or expired address tag',
  ])('are a refusal of us: %s', (line) => expect(judge(line).diagnosis).toBe('policy_block'));

  it.each(['550 Mailbox name not found', '550 5.7.1 Recipient is not on our list of valid recipients'])(
    'are told from %s',
    (line) => {
      expect(judge(line)).toMatchObject({ class: 'mailbox_not_found' });
      expect(judge(line).needsWitness).toBeUndefined();
    },
  );
});
