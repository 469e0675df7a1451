import type { Classification } from '../classification.js';
import { parseReplyLine } from '../reply-line.js';
import type { SmtpStage } from '../reply.js';
import { classifyReply } from './classify-reply.js';

function classify(text: string, stage: SmtpStage = 'rcpt', mixed = false): Classification {
  const { code, enhanced, text: words } = parseReplyLine(text)!;
  const ownNames = ['probe@mailvet.example'];
  return classifyReply(
    { code, enhanced, lines: [words], mixed },
    { stage, recipient: 'ghost@example.com', ownNames, provider: null },
  );
}

const told = ({ class: name, rule, subject, permanent, diagnosis }: Classification): unknown[] => [
  name,
  rule,
  subject,
  permanent,
  diagnosis,
];

describe('the code of a reply', () => {
  it.each<[string, SmtpStage, ...unknown[]]>([
    ['250 ok', 'rcpt', 'accepted', 'accepted', 'mailbox', false, 'accepted'],
    ['299 ok', 'rcpt', 'accepted', 'accepted', 'mailbox', false, 'accepted'],
    ['252 ok', 'rcpt', 'accepted', 'accepted-unverified', 'mailbox', false, 'accepted'],
    ['250 ok', 'mail', 'accepted', 'accepted', 'nobody', false, null],
    ['300 go on', 'rcpt', 'unattributed', 'code-3xx', 'nobody', false, null],
    ['399 go on', 'rcpt', 'unattributed', 'code-3xx', 'nobody', false, null],
    ['400', 'rcpt', 'unattributed', 'code-400', 'nobody', false, 'greylist_deferred'],
    ['499', 'rcpt', 'unattributed', 'code-499', 'nobody', false, 'greylist_deferred'],
    ['500', 'rcpt', 'unattributed', 'code-500', 'nobody', true, null],
    ['421', 'rcpt', 'policy', 'code-421', 'us', false, 'policy_block'],
    ['521', 'rcpt', 'policy', 'code-521', 'us', true, 'policy_block'],
    ['525', 'rcpt', 'mailbox_disabled', 'code-525', 'mailbox', true, 'mailbox_disabled'],
    ['530', 'rcpt', 'auth_required', 'code-530', 'us', true, 'policy_block'],
    ['535', 'rcpt', 'auth_required', 'code-535', 'us', true, 'policy_block'],
    ['538', 'rcpt', 'tls_required', 'code-538', 'us', true, 'policy_block'],
    ['552', 'rcpt', 'mailbox_full', 'code-552', 'mailbox', true, 'mailbox_full'],
    ['556', 'rcpt', 'mailbox_not_found', 'code-556', 'mailbox', true, 'mailbox_not_found'],
    ['570', 'rcpt', 'policy', 'code-570', 'us', true, 'policy_block'],
    ['571', 'rcpt', 'policy', 'code-571', 'us', true, 'policy_block'],
    ['400', 'mail', 'unattributed', 'code-400', 'nobody', false, null],
    ['499', 'mail', 'unattributed', 'code-499', 'nobody', false, null],
    ['500', 'mail', 'unattributed', 'code-500', 'nobody', true, null],
    ['550', 'mail', 'policy', 'code-550', 'us', true, 'policy_block'],
    ['421', 'greeting', 'policy', 'code-421', 'us', false, 'policy_block'],
  ])('of %j at %s', (text, stage, ...expected) => {
    expect(told(classify(text, stage))).toEqual(expected);
  });

  it('says nothing if the lines have several', () => {
    expect(told(classify('250 ok', 'rcpt', true))).toEqual(['unattributed', 'mixed-codes', 'nobody', false, null]);
  });
});

describe('words and codes together', () => {
  it.each<[string, SmtpStage, ...unknown[]]>([
    ['450 5.1.1 User unknown', 'rcpt', 'unattributed', 'mailbox-unknown', 'mailbox', false, 'greylist_deferred'],
    ['421 try again later', 'rcpt', 'policy', 'asked-to-come-back', 'us', false, 'policy_block'],
    ['421 Greylisted', 'rcpt', 'greylisted', 'greylisted', 'server', false, 'greylist_deferred'],
    ['421 Relay access denied', 'rcpt', 'relay_denied', 'relay-denied', 'us', false, 'policy_block'],
    ['421 mailbox full', 'mail', 'policy', 'mailbox-full', 'us', false, 'policy_block'],
    ['421 Relay access denied', 'mail', 'relay_denied', 'relay-denied', 'us', false, 'policy_block'],
    ['421 Greylisted', 'mail', 'greylisted', 'greylisted', 'server', false, 'greylist_deferred'],
    ['452 4.5.3 too many recipients', 'mail', 'unattributed', 'too-many-recipients', 'nobody', false, null],
    [
      '452 too many recipients',
      'rcpt',
      'too_many_recipients',
      'too-many-recipients',
      'nobody',
      false,
      'greylist_deferred',
    ],
    ['452 4.3.1 Insufficient system storage', 'mail', 'server_fault', 'server-storage', 'server', false, null],
    ['550 mailbox full', 'mail', 'policy', 'mailbox-full', 'us', true, 'policy_block'],
    ['450 mailbox full', 'mail', 'unattributed', 'mailbox-full', 'nobody', false, null],
    ['503 mailbox full', 'mail', 'unattributed', 'code-503', 'nobody', true, null],
    ['550 sorry (#5.2.2)', 'rcpt', 'mailbox_full', 'enhanced-2.2', 'mailbox', true, 'mailbox_full'],
    ['556 remote ip check error', 'rcpt', 'policy', 'speaks-to-us', 'us', true, 'policy_block'],
    ['556 access denied', 'rcpt', 'policy', 'refused-vaguely', 'us', true, 'policy_block'],
    ['556 Your IP is on our blocklist', 'rcpt', 'policy', 'client-refused', 'us', true, 'policy_block'],
    ['525 5.1.1 no', 'rcpt', 'mailbox_not_found', 'enhanced-1.1', 'mailbox', true, 'mailbox_not_found'],
    ['500 5.1.1 no', 'rcpt', 'mailbox_not_found', 'enhanced-1.1', 'mailbox', true, 'mailbox_not_found'],
    ['500 5.5.2 what?', 'rcpt', 'unattributed', 'code-500', 'nobody', true, null],
    ['502 authentication required', 'rcpt', 'auth_required', 'authentication-demanded', 'us', true, 'policy_block'],
    ['503 issue STARTTLS first', 'rcpt', 'tls_required', 'tls-demanded', 'us', true, 'policy_block'],
    ['503 mailbox full', 'rcpt', 'unattributed', 'code-503', 'nobody', true, null],
    ['504 5.3.0 HELP topic x unknown', 'rcpt', 'unattributed', 'code-504', 'nobody', true, null],
    ['550 <probe@mailvet.example> unknown', 'rcpt', 'policy', 'sender-quoted', 'us', true, 'policy_block'],
    ['550 <probe@mailvet.example>', 'rcpt', 'policy', 'sender-quoted', 'us', true, 'policy_block'],
    ['503 <probe@mailvet.example>', 'rcpt', 'unattributed', 'code-503', 'nobody', true, null],
    ['550 <probe@mailvet.example>: spam', 'rcpt', 'policy', 'refused-as-spam', 'us', true, 'policy_block'],
  ])('%j at %s', (text, stage, ...expected) => {
    expect(told(classify(text, stage))).toEqual(expected);
  });

  it('tell when to ask again only in a deferral', () => {
    expect(classify('452 mailbox full, try again in 10 minutes').retryAfterSeconds).toBe(600);
    expect(classify('400 try again in 10 minutes').retryAfterSeconds).toBe(600);
    expect(classify('550 Greylisted, try again in 10 minutes').retryAfterSeconds).toBe(600);
    expect(classify('550 mailbox full, try again in 10 minutes').retryAfterSeconds).toBeNull();
    expect(classify('250 ok, try again in 10 minutes').retryAfterSeconds).toBeNull();
  });
});
