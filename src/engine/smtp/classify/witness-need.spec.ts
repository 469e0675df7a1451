import type { WitnessNeed } from '../classification.js';
import { parseReplyLine } from '../reply-line.js';
import { classifyReply } from './classify-reply.js';

function needOf(text: string): WitnessNeed | null {
  const { code, enhanced, text: words } = parseReplyLine(text)!;
  const reply = { code, enhanced, lines: [words], mixed: false };
  const context = { stage: 'rcpt', recipient: 'ghost@example.com', ownNames: [], provider: null } as const;
  return classifyReply(reply, context).needsWitness ?? null;
}

describe('the witness that a permanent refusal needs', () => {
  it.each<[string, string, WitnessNeed | null]>([
    ['plain words about the mailbox', '550 No such user here', null],
    ['plain words about the mailbox, under a code of policy', '550 5.7.1 No such user here', null],
    ['such words that take us for a spammer', '550 No mailbox for you, spammer', 'no_postmaster'],
    ['a specific code', '550 5.1.1 no', null],
    ['a specific code, and words of policy', '550 5.1.1 rejected for policy reasons', 'no_postmaster'],
    ['a specific code, and vague words', '550 5.1.1 blocked', 'no_postmaster'],
    ['a disabled account (RFC 5248)', '525', null],
    ['a domain that takes no mail (RFC 7504)', '556', null],
    ['such a domain, in vague words', '556 Domain does not accept mail', null],
    ['a barred recipient at Microsoft', '550 5.7.505 Access denied, banned recipient', 'no_postmaster'],
    ['a barred sender at Microsoft', '550 5.7.503 Access denied, banned sender', null],
    ['a host that takes no mail (RFC 7504)', '521', null],
    ['exceeded storage, by its basic code alone', '552', 'anybody'],
    ['words that may be about anything', '550 Address rejected', 'anybody'],
    ['no words', '550', 'anybody'],
    ['a code of policy alone', '550 5.7.1', 'no_postmaster'],
    ['a code of policy, and words that may be about anything', '550 5.7.1 mailbox unavailable', 'no_postmaster'],
    ['vague words of policy', '550 user blocked', 'no_postmaster'],
    ['plain words about us', '550 Your IP is on our blocklist', null],
    ['a command that came out of turn', '503 5.5.1 Bad sequence', null],
    ['a command that is not known', '500 5.5.1 what?', null],
    ['a command that is not implemented', '502 5.5.1 what?', null],
    ['a parameter that is not implemented', '504 5.5.4 what?', null],
  ])('%s: %s', (_, text, need) => {
    expect(needOf(text)).toBe(need);
  });
});
