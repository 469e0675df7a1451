import type { Classification, ReplyContext } from '../classification.js';
import { parseReplyLine } from '../reply-line.js';
import type { Reply } from '../reply.js';
import { classifyReply } from './classify-reply.js';

const CONTEXT: ReplyContext = {
  stage: 'rcpt',
  recipient: 'ghost@example.com',
  ownNames: ['probe.example.net', 'verify@probe.example.net', '192.0.2.77'],
  provider: null,
};

function replyOf(...texts: string[]): Reply {
  const lines = texts.map((text) => parseReplyLine(text)!);
  const enhanced = lines.find((line) => line.enhanced !== null)?.enhanced ?? null;
  return { code: lines[0]!.code, enhanced, lines: lines.map((line) => line.text), mixed: false };
}

const classify = (text: string, context: Partial<ReplyContext> = {}): Classification =>
  classifyReply(replyOf(text), { ...CONTEXT, ...context });

describe('classifyReply at RCPT', () => {
  it('accepts 2xx, forwarding and "cannot verify" included', () => {
    expect(classify('250 2.1.5 Ok')).toMatchObject({ class: 'accepted', subject: 'mailbox', diagnosis: 'accepted' });
    expect(classify('251 User not local; will forward')).toMatchObject({ class: 'accepted', rule: 'accepted' });
    expect(classify('252 Cannot VRFY user')).toMatchObject({ class: 'accepted', rule: 'accepted-unverified' });
  });

  it('says whom a refusal is about', () => {
    expect(classify('550 5.1.1 User unknown')).toMatchObject({ subject: 'mailbox', permanent: true });
    expect(classify('550 5.7.1 Blocked using zen.spamhaus.org')).toMatchObject({ subject: 'us', permanent: true });
    expect(classify('451 4.3.0 Queue file write error')).toMatchObject({ subject: 'server', permanent: false });
    expect(classify('550')).toMatchObject({ subject: 'nobody', permanent: true });
  });

  it.each([
    ['450 4.2.1 The user is receiving mail at a rate that prevents additional messages', 'mailbox_rate_limited'],
    ['550 5.2.1 The user you are trying to contact is receiving mail too quickly', 'mailbox_rate_limited'],
    ['552 5.2.2 Mailbox full', 'mailbox_full'],
    ['452 4.3.1 Insufficient system storage', 'server_fault'],
    ['550 5.2.1 Mailbox disabled', 'mailbox_disabled'],
    ['550 5.1.1 User unknown', 'mailbox_not_found'],
    ['450 4.7.1 Greylisted', 'greylisted'],
    ['550 greylisted, try again', 'greylisted'],
    ['554 5.7.1 Relay access denied', 'relay_denied'],
    ['530 5.7.0 Authentication required', 'auth_required'],
    ['530 5.7.0 Must issue a STARTTLS command first', 'tls_required'],
    ['452 4.5.3 Too many recipients', 'too_many_recipients'],
    ['452 4.5.3 Recipients belong to multiple regions ATTR38', 'too_many_recipients'],
    ['550 5.7.25 No PTR record', 'policy'],
    ['552', 'mailbox_full'],
    ['450 4.2.1', 'unattributed'],
    ['550 5.2.121', 'policy'],
    ['452 4.2.122', 'mailbox_rate_limited'],
    ['521', 'policy'],
    ['550', 'unattributed'],
    ['554 5.5.0', 'unattributed'],
  ])('tells %s apart: %s', (text, expected) => {
    expect(classify(text).class).toBe(expected);
  });

  it('never reads a deferral as a missing mailbox', () => {
    const deferred = classify('450 4.1.1 User unknown in virtual mailbox table');
    expect(deferred).toMatchObject({ class: 'unattributed', permanent: false, diagnosis: 'greylist_deferred' });
    expect(classify('452 4.1.1 <ghost@example.com> user over quota')).toMatchObject({
      class: 'mailbox_full',
      permanent: false,
      diagnosis: 'mailbox_full',
    });
  });

  it.each([550, 551, 553, 554, 555, 599])('concludes nothing from a bare %i', (code) => {
    expect(classify(`${code}`)).toMatchObject({ class: 'unattributed', diagnosis: null, needsWitness: 'anybody' });
  });

  it('prefers the text to a generic or misused enhanced code', () => {
    expect(classify('550 5.2.1 <ghost@example.com>... Addressee unknown, relay=[192.0.2.1]').class).toBe(
      'mailbox_not_found',
    );
    expect(classify('552 1 Requested mail action aborted, mailbox not found').class).toBe('mailbox_not_found');
    expect(classify('550 5.7.1 No such user').class).toBe('mailbox_not_found');
    expect(classify('550 5.1.1 sent to too many recipients this hour').class).toBe('policy');
  });

  it('prefers a code that can only mean the sender to any text', () => {
    for (const code of ['5.7.25', '5.7.26', '5.7.27', '5.1.8', '5.7.606']) {
      const refused = classify(`550 ${code} <ghost@example.com>: Recipient address rejected: user unknown`);
      expect(refused).toMatchObject({ class: 'policy', diagnosis: 'policy_block' });
    }
  });

  it('finds an enhanced code of the same class inside the text', () => {
    expect(classify('550 sorry (#5.7.1)').class).toBe('policy');
    expect(classify('550 mailer 4.7.1').rule).toBe('code-550');
  });

  it('reads a 421 as a refusal of us unless it is about the mailbox or names greylisting', () => {
    expect(classify('421 4.3.2 All server ports are busy')).toMatchObject({ subject: 'us', permanent: false });
    expect(classify('421 4.7.0 Try again later').subject).toBe('us');
    expect(classify('421 4.7.1 Greylisted').class).toBe('greylisted');
    expect(classify('421 4.2.2 Mailbox full').class).toBe('mailbox_full');
  });

  it('blames nobody for commands out of turn', () => {
    expect(classify('503 5.5.1 Error: send HELO/EHLO first')).toMatchObject({ subject: 'nobody', diagnosis: null });
    expect(classify('503 5.5.4 Authentication required').class).toBe('auth_required');
  });

  it('concludes nothing from lines that disagree', () => {
    const mixed = { ...replyOf('550 5.1.1 User unknown'), mixed: true };
    expect(classifyReply(mixed, CONTEXT)).toMatchObject({ class: 'unattributed', permanent: false, diagnosis: null });
  });

  it('reads all lines of a reply', () => {
    const reply = replyOf('550-5.1.1 The email account that you tried to', '550 5.1.1 reach does not exist.');
    expect(classifyReply(reply, CONTEXT).rule).toBe('mailbox-does-not-exist');
  });

  it('returns the delay of a deferral only', () => {
    expect(classify('450 4.7.1 Greylisted, try again in 5 minutes').retryAfterSeconds).toBe(300);
    expect(classify('550 greylisted, try again in 5 minutes').retryAfterSeconds).toBe(300);
    expect(classify('550 5.1.1 User unknown, try again in 5 minutes').retryAfterSeconds).toBeNull();
  });
});

describe('words ignored in a reply', () => {
  it('include the echoed address', () => {
    const recipient = 'ghost@spam-blocked-marble.example';
    const refused = classify(`550 5.1.1 <${recipient}>: User unknown`, { recipient });
    expect(refused).toMatchObject({ class: 'mailbox_not_found', rule: 'mailbox-unknown' });
    expect(classify(`550 <${recipient}>: no`, { recipient }).rule).toBe('code-550');
  });

  it('include an echo without a domain, quoted or in brackets', () => {
    for (const echo of ['<blocked>', '"blocked"', "'blocked'", '(blocked)']) {
      expect(classify(`550 ${echo} no`, { recipient: 'blocked@example.com' }).rule).toBe('code-550');
    }
    expect(classify('550 mail.spam-trap no', { recipient: 'mail.spam-trap@example.com' }).rule).toBe('code-550');
  });

  it('include every echo with spaces', () => {
    const recipient = '"spam blocked"@example.com';
    expect(classify(`550 ${recipient} ${recipient} no`, { recipient }).rule).toBe('code-550');
  });

  it('include our own name and sender', () => {
    const ownNames = ['spam-check.example.net', 'blocked@spam-check.example.net'];
    const text = '550 spam-check.example.net <blocked@spam-check.example.net> to <ghost@example.com>: no';
    expect(classify(text, { ownNames }).rule).toBe('code-550');
  });

  it('include our own name, and "unknown" with it does not mean a mailbox', () => {
    expect(classify('550 probe.example.net does not exist').subject).toBe('us');
    expect(classify('550 postmaster@probe.example.net not found').subject).toBe('us');
    expect(classify('550 ghost@example.com does not exist (probe.example.net)').subject).toBe('mailbox');
  });

  it('include links', () => {
    expect(classify('550 5.1.1 https://example.net/blocked/spam/policy').rule).toBe('enhanced-1.1');
  });
});

describe('a refusal that names us', () => {
  it('is about the sender if it quotes ours and not the recipient', () => {
    for (const text of [
      '550 5.1.1 <verify@probe.example.net>: User unknown',
      '550 verify@probe.example.net not found',
    ]) {
      expect(classify(text)).toMatchObject({ class: 'policy', rule: 'sender-quoted', subject: 'us' });
    }
    expect(classify('450 <verify@probe.example.net>: unknown user').subject).toBe('us');
  });

  it('is about the recipient if it quotes both', () => {
    const both = '550 From <verify@probe.example.net> to <ghost@example.com>: user unknown';
    expect(classify(both).class).toBe('mailbox_not_found');
  });

  it.each([
    '421 4.7.1 Excessive unknown recipients',
    '450 4.7.1 <ghost@example.com>: Recipient address rejected: Policy Rejection- Quota Exceeded',
    '554 5.7.1 <ghost@example.com>: Recipient address rejected: Policy Rejection- Quota exceeded for sender',
    '550 Verification of sender failed; mailbox does not exist',
    '550 You have exceeded your quota',
    '550 unknown server',
    '550 Dostęp zabroniony',
  ])('speaks of us with words that elsewhere mean a mailbox: %s', (text) => {
    expect(classify(text).diagnosis).toBe('policy_block');
  });

  it('is about us if it only names our IP address', () => {
    expect(classify('550 192.0.2.77 X-BL004').class).toBe('policy');
    expect(classify('550 5.1.1 User unknown [192.0.2.77]').class).toBe('mailbox_not_found');
  });
});

describe('meanings of a provider', () => {
  it('reads "access denied" as a missing mailbox in the words of Exchange Online only', () => {
    expect(classify('550 5.4.1 Recipient address rejected: Access denied').class).toBe('mailbox_not_found');
    expect(classify('550 5.7.1 Recipient address rejected: Access denied').class).toBe('policy');
    expect(classify('550 Access denied').class).toBe('policy');
    const provider = 'microsoft365';
    expect(classify('550 5.4.1 Recipient not here', { provider }).class).toBe('mailbox_not_found');
    expect(classify('550 5.4.1 Recipient not here').class).toBe('server_fault');
  });

  it('reads a lack of resources as greylisting at Mimecast only', () => {
    const text = '451 Internal resources are temporarily unavailable';
    expect(classify(text, { provider: 'mimecast' }).class).toBe('greylisted');
    expect(classify(text).class).toBe('server_fault');
  });

  it('reads a deferral by Yahoo as one by reputation', () => {
    const text = '451 4.7.0 Messages temporarily deferred';
    expect(classify(text, { provider: 'yahoo' }).class).toBe('policy');
  });
});

describe('classifyReply of a server behind', () => {
  it.each([
    "550 5.7.322 certificate-expired: destination mail server's certificate is expired",
    '550 destination domain returned invalid dnssec records',
  ])('does not take the trouble of %s for a mailbox', (text) => {
    expect(classify(text)).toMatchObject({ class: 'server_fault', diagnosis: null });
  });
});

describe('classifyReply before RCPT', () => {
  const before = ['connect', 'greeting', 'ehlo', 'starttls', 'mail'] as const;

  it.each(before)('never judges a mailbox at %s', (stage) => {
    for (const text of ['550 5.1.1 User unknown', '552 5.2.2 Mailbox full', '550 5.2.1 Disabled', '550', '250 Ok']) {
      const judged = classify(text, { stage });
      expect(judged.subject).not.toBe('mailbox');
      expect(judged.diagnosis ?? '').not.toMatch(/mailbox/);
    }
  });

  it('reads a 421 as a refusal of us unless it names greylisting', () => {
    for (const text of ['421 4.7.0 Try again later', '421 4.3.2 Service shutting down', '421']) {
      expect(classify(text, { stage: 'greeting' })).toMatchObject({ subject: 'us', diagnosis: 'policy_block' });
    }
    expect(classify('421 4.7.1 Greylisted', { stage: 'greeting' }).class).toBe('greylisted');
  });

  it('reads a refusal as a refusal of us', () => {
    expect(classify('554 5.7.1 blocked', { stage: 'greeting' })).toMatchObject({ subject: 'us', class: 'policy' });
    expect(classify('550 5.1.1 bad sender', { stage: 'mail' })).toMatchObject({ diagnosis: 'policy_block' });
    expect(classify('530 5.7.0 Must issue STARTTLS first', { stage: 'mail' }).class).toBe('tls_required');
  });

  it('distinguishes greylisting, server trouble and an unknown command', () => {
    expect(classify('451 4.7.1 Greylisted', { stage: 'mail' })).toMatchObject({
      class: 'greylisted',
      diagnosis: 'greylist_deferred',
    });
    expect(classify('454 4.7.0 TLS not available', { stage: 'starttls' }).subject).not.toBe('mailbox');
    expect(classify('452 4.3.1 Insufficient system storage', { stage: 'mail' }).class).toBe('server_fault');
    expect(classify('502 5.5.2 command not recognized', { stage: 'ehlo' })).toMatchObject({ class: 'unattributed' });
  });
});
