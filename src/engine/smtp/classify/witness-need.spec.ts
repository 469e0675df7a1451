import type { WitnessNeed } from '../classification.js';
import { parseReplyLine } from '../reply-line.js';
import type { SmtpStage } from '../reply.js';
import { classifyReply } from './classify-reply.js';

function needOf(text: string, stage: SmtpStage = 'rcpt'): WitnessNeed | null {
  const read = text.split('\n').map((line) => parseReplyLine(line)!);
  const { code, enhanced } = read[0]!;
  const reply = { code, enhanced, lines: read.map((line) => line.text), mixed: false };
  const context = { stage, recipient: 'ghost@example.com', ownNames: [], provider: null };
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
    ['a barred recipient at Microsoft', '550 5.7.505 Access denied, banned recipient', 'no_postmaster'],
    ['a barred sender at Microsoft', '550 5.7.503 Access denied, banned sender', null],
    ['a host that takes no mail (RFC 7504)', '521', null],
    ['exceeded storage, by its basic code alone', '552', 'anybody'],
    ['words that may be about anything', '550 Address rejected', 'anybody'],
    ['no words', '550', 'anybody'],
    ['a code of policy alone', '550 5.7.1', 'no_postmaster'],
    ['a code of policy, and words that may be about anything', '550 5.7.1 mailbox unavailable', 'no_postmaster'],
    ['vague words of policy', '550 user blocked', 'no_postmaster'],
    ['a code of a disabled mailbox, and vague words', '550 5.2.1 blocked', 'no_postmaster'],
    ['a word of policy', '550 spam', null],
    ['a word of policy, and a code of the server', '550 5.3.5 spam', null],
    ['words for the sender', '550 message', 'no_postmaster'],
    ['a code about the sender', '550 5.1.90', null],
    ['a domain without a way to it', '550 5.1.2', null],
    ['words in another language', '550 für', 'no_postmaster'],
    ['words in another language, in the second line', '550 no\n550 für', 'no_postmaster'],
    ['a specific code, and words in another language', '550 5.1.1 für', 'anybody'],
    ['a specific code, and quotation marks', '550 5.1.1 “no” – ‘no’', null],
    ['a specific code, and an address abroad', '550 5.1.1 <für@example.com> no', null],
    ['a specific code, and the address of a client', '550 5.1.1 no 192.0.2.1', 'anybody'],
    ['a specific code, and the IPv6 address of a client', '550 5.1.1 no [IPv6:2001:db8::1]', 'anybody'],
    ['a specific code, and the network of a client', '550 5.1.1 no 2001:db8::/32', 'anybody'],
    ['a specific code, and trouble of the server', '550 5.1.1 internal error', 'anybody'],
    ['a recipient for some senders', '550 5.7.124 no', null],
    ['a mailbox that gets too much', '550 receiving mail too fast', null],
    ['too many recipients', '550 5.5.3 too many recipients', null],
    ['a code that may be about an address', '501 no', 'anybody'],
    ['a code that is no protocol code', '505 no', 'anybody'],
    ['plain words about us', '550 Your IP is on our blocklist', null],
    ['a command that came out of turn', '503 5.5.1 Bad sequence', null],
    ['a command that is not known', '500 5.5.1 what?', null],
    ['a command that is not implemented', '502 5.5.1 what?', null],
    ['a parameter that is not implemented', '504 5.5.4 what?', null],
  ])('%s: %s', (_, text, need) => {
    expect(needOf(text)).toBe(need);
  });

  it('is none for a deferral, or before RCPT', () => {
    expect(needOf('450 no')).toBeNull();
    expect(needOf('450 5.1.1 blocked')).toBeNull();
    expect(needOf('550 no', 'mail')).toBeNull();
    expect(needOf('550 5.7.1', 'greeting')).toBeNull();
  });
});
