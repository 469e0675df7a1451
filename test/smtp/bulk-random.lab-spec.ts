import type { MailProvider } from '../../src/engine/smtp/provider.js';
import { BulkBench, emailsOf, type BulkOptions } from './support/bulk-bench.js';
import { EHLO_PIPELINING, type Answer, type Behaviour } from './support/scripted-host.js';

const RANDOM = 'bababu000';
const isRandom = (path: string): boolean => path.startsWith(RANDOM);
const knowsReal = (path: string): Answer => (path.startsWith('real') ? '250 2.1.5 ok' : '550 5.1.1 no such user');
const provider = (over: Partial<MailProvider>): MailProvider => ({
  id: 'example',
  name: 'Example',
  kind: 'mailbox',
  acceptsAll: 'never',
  randomProbeMeaningful: true,
  recipientsPerSession: 10,
  maxConnections: 2,
  recipientsPerMinute: 60,
  ...over,
});

describe.each([
  ['pipelined', EHLO_PIPELINING],
  ['one by one', '250 mx.example.test'],
])('one random recipient for the many of a domain, %s', (_, ehlo) => {
  let bench: BulkBench;
  const facts = async (behaviour: Behaviour, emails: readonly string[], options: BulkOptions = {}) => {
    bench = await BulkBench.start({ ehlo, rcpt: knowsReal, ...behaviour });
    return bench.facts(emails, { randomRecipient: true, randomLocalPart: () => RANDOM, ...options });
  };
  const timesAsked = (): number => bench.recipients().flat().filter(isRandom).length;
  const EMAILS = emailsOf('example.com', 30);
  afterEach(() => bench.stop());

  it('is probed once, and applies to all accepted recipients', async () => {
    const found = await facts({}, EMAILS);
    expect(timesAsked()).toBe(1);
    expect(new Set(found.map(({ class: name, random }) => `${name} ${random}`))).toEqual(
      new Set(['accepted refused', 'mailbox_not_found refused']),
    );
  });

  it('finds a catch-all', async () => {
    const found = await facts({ rcpt: '250 ok' }, EMAILS);
    expect(new Set(found.map(({ random }) => random))).toEqual(new Set(['accepted']));
    expect(timesAsked()).toBe(1);
  });

  it('is one for each domain', async () => {
    const domains = ['example.com', 'example.org', 'example.net'];
    const rcpt = (path: string): Answer => (path.endsWith('.org') ? '250 ok' : knowsReal(path));
    const emails = domains.flatMap((domain) => emailsOf(domain, 7));
    const found = await facts({ rcpt }, emails);
    expect(timesAsked()).toBe(3);
    for (const [index, email] of emails.entries()) {
      expect(found[index]?.random).toBe(email.endsWith('.org') ? 'accepted' : 'refused');
    }
  });

  it.each<[string, Answer]>([
    ['greylisted', '451 4.7.1 greylisted'],
    ['full', '552 5.2.2 mailbox full'],
    ['refused for our own sake', '550 5.7.25 no PTR'],
  ])('proves nothing if it is %s', async (__, answer) => {
    const found = await facts({ rcpt: (path) => (isRandom(path) ? answer : knowsReal(path)) }, EMAILS);
    const accepted = found.filter(({ class: name }) => name === 'accepted');
    expect(accepted).toHaveLength(15);
    expect(new Set(accepted.map(({ random }) => random))).toEqual(new Set(['inconclusive']));
    expect(timesAsked()).toBe(1);
  });

  it.each<[string, Answer]>([
    ['hangs up on it', { text: null, after: 'close' }],
    ['has had enough recipients', '452 4.5.3 Too many recipients'],
  ])('is probed once more, first in a session, if the host %s', async (__, answer) => {
    let times = 0;
    const rcpt = (path: string): Answer => (isRandom(path) && (times += 1) === 1 ? answer : knowsReal(path));
    const found = await facts({ rcpt }, EMAILS);
    expect(found.map(({ class: name }) => name)).toEqual(
      EMAILS.map((email) => (email.startsWith('real') ? 'accepted' : 'mailbox_not_found')),
    );
    const accepted = found.filter(({ class: name }) => name === 'accepted');
    expect(new Set(accepted.map(({ random }) => random))).toEqual(new Set(['refused']));
    expect(timesAsked()).toBe(2);
  });

  it('is not probed a third time', async () => {
    const rcpt = (path: string): Answer => (isRandom(path) ? { text: null, after: 'close' } : knowsReal(path));
    const found = await facts({ rcpt }, EMAILS);
    expect(found.filter(({ class: name }) => name === 'accepted')).toHaveLength(15);
    expect(new Set(found.filter(({ class: name }) => name === 'accepted').map(({ random }) => random))).toEqual(
      new Set(['inconclusive']),
    );
    expect(timesAsked()).toBe(2);
  });

  it('has its own session if the provider takes one recipient per session', async () => {
    const one = { findProvider: () => provider({ recipientsPerSession: 1 }) };
    const found = await facts({}, emailsOf('example.com', 4), one);
    expect(found.map(({ class: name }) => name)).toEqual([
      'accepted',
      'mailbox_not_found',
      'accepted',
      'mailbox_not_found',
    ]);
    expect([found[0]?.random, found[2]?.random]).toEqual(['refused', 'refused']);
    expect(bench.recipients().map((session) => session.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it('has no session of its own if no recipient was accepted', async () => {
    const one = { findProvider: () => provider({ recipientsPerSession: 1 }) };
    const found = await facts({}, ['ghost1@example.com', 'ghost2@example.com'], one);
    expect(found.map(({ random }) => random)).toEqual(['not_asked', 'not_asked']);
    expect(timesAsked()).toBe(0);
  });

  it('is not probed if the answer would mean nothing', async () => {
    const found = await facts({}, EMAILS, { findProvider: () => provider({ randomProbeMeaningful: false }) });
    expect(new Set(found.map(({ random }) => random))).toEqual(new Set(['not_asked']));
    expect(timesAsked()).toBe(0);
  });

  it('makes a 252 an acceptance if it got an answer, too', async () => {
    const found = await facts({ rcpt: (path) => (isRandom(path) ? '550 5.1.1 no' : '252 will try') }, EMAILS);
    expect(new Set(found.map(({ class: name }) => name))).toEqual(new Set(['accepted']));
  });

  it('keeps acceptances if the deadline passes while it is probed', async () => {
    const rcpt = (path: string): Answer => (isRandom(path) ? { text: null } : knowsReal(path));
    const found = await facts({ rcpt }, ['real1@example.com', 'ghost@example.com'], { deadlineMs: 500 });
    expect(found.map(({ class: name, random }) => `${name} ${random}`)).toEqual([
      'accepted inconclusive',
      'mailbox_not_found inconclusive',
    ]);
  });
});
