import type { AcceptedAt } from '../../src/engine/smtp/accepted-recipients.js';
import { classifyReply } from '../../src/engine/smtp/classify/classify-reply.js';
import type { MailProvider } from '../../src/engine/smtp/provider.js';
import { EHLO_PIPELINING, realOnly, type Answer, type Behaviour } from './support/scripted-host.js';
import { ProbeBench } from './support/probe-bench.js';

const RANDOM = 'bababu000';
const ACCEPTED = '250 2.1.5 ok';
const NO = '550 5.1.1 no such user';
const provider = (over: Partial<MailProvider>): MailProvider => ({
  id: 'example',
  name: 'Example',
  kind: 'mailbox',
  acceptsAll: 'never',
  randomProbeMeaningful: true,
  recipientsPerSession: 10,
  maxConnections: 1,
  recipientsPerMinute: 60,
  ...over,
});

describe.each([
  ['pipelined', EHLO_PIPELINING],
  ['one by one', '250 mx.example.test'],
])('the random recipient, %s', (_, ehlo) => {
  let bench: ProbeBench;
  const facts = async (
    behaviour: Behaviour,
    options: Parameters<ProbeBench['facts']>[1] = {},
    email = 'real@example.com',
  ) => {
    bench = await ProbeBench.start({ ehlo, ...behaviour });
    return bench.facts(email, { randomRecipient: true, randomLocalPart: () => RANDOM, ...options });
  };
  const recipients = (): string[][] =>
    (bench.hosts[0]?.visits ?? []).map((visit) =>
      visit.commands.flatMap((line) => (line.startsWith('RCPT') ? [line.slice('RCPT TO:<'.length, -1)] : [])),
    );
  afterEach(() => bench.stop());

  it('is sent after the real one, in the same session', async () => {
    expect(await facts({})).toMatchObject({ class: 'accepted', random: 'refused' });
    expect(recipients()).toEqual([['real@example.com', `${RANDOM}@example.com`]]);
  });

  it('shows a catch-all', async () => {
    expect(await facts({ rcpt: '250 ok' })).toMatchObject({ class: 'accepted', random: 'accepted' });
  });

  it.each<[string, Answer]>([
    ['greylisted', '451 4.7.1 greylisted'],
    ['full', '552 5.2.2 mailbox full'],
    ['refused for our own sake', '550 5.7.25 no PTR'],
  ])('does not change the real answer if it is %s', async (__, answer) => {
    const found = await facts({ rcpt: (path) => (path.startsWith('real@') ? '250 2.1.5 ok' : answer) });
    expect(found).toMatchObject({ class: 'accepted', code: 250, diagnosis: 'accepted', random: 'inconclusive' });
    expect(recipients()).toHaveLength(1);
  });

  it('never contributes other facts', async () => {
    const found = await facts({ rcpt: (path) => (path.startsWith('real@') ? '451 4.3.0 later' : '550 5.1.1 unknown') });
    expect(found).toMatchObject({ class: 'greylisted', code: 451, permanent: false, random: 'refused' });
  });

  it.each<[string, Answer]>([
    ['takes one recipient a session', '452 4.5.3 too many recipients'],
    ['sorts recipients by region', '452 4.5.3 Recipients belong to multiple regions ATTR38'],
    ['hangs up after the first answer', { text: null, after: 'close' }],
    ['closes with a 421', { text: '421 4.7.0 enough', after: 'close' }],
  ])('is sent in a new session if the host %s', async (__, second) => {
    const found = await facts({ rcpt: (path, nth) => (nth === 1 ? realOnly(path) : second) });
    expect(found).toMatchObject({ class: 'accepted', random: 'refused' });
    expect(recipients().at(-1)).toEqual([`${RANDOM}@example.com`]);
    expect(recipients()).toHaveLength(2);
  });

  it('has its own session if the provider takes one recipient per session', async () => {
    const found = await facts({}, { findProvider: () => provider({ recipientsPerSession: 1 }) });
    expect(found).toMatchObject({ class: 'accepted', random: 'refused' });
    expect(recipients()).toEqual([['real@example.com'], [`${RANDOM}@example.com`]]);
  });

  it('has no session of its own for a refused address', async () => {
    const one = { findProvider: () => provider({ recipientsPerSession: 1 }) };
    expect(await facts({}, one, 'ghost@example.com')).toMatchObject({
      class: 'mailbox_not_found',
      random: 'not_asked',
    });
    expect(recipients()).toHaveLength(1);
  });

  it('leaves no room for postmaster, whose answer might prove an unproven refusal, in a session for one', async () => {
    const one = { classify: classifyReply, findProvider: () => provider({ recipientsPerSession: 1 }) };
    expect(await facts({ rcpt: '550 rejected' }, one)).toMatchObject({
      class: 'unattributed',
      witness: 'inconclusive',
    });
    expect(recipients()).toEqual([['real@example.com']]);
  });

  it.each<[string, string, Behaviour, number]>([
    ['the address', 'real@example.com', {}, 1],
    ['the random one alone', 'real@example.com', { rcpt: (to) => (realOnly(to) === ACCEPTED ? NO : ACCEPTED) }, 1],
    ['nobody', 'ghost@example.com', {}, 0],
    ['postmaster alone', 'postmaster@example.com', { rcpt: (to) => (to.startsWith('postmaster') ? ACCEPTED : NO) }, 0],
  ])('is remembered as a witness like the address if the host accepts %s', async (_who, email, behaviour, times) => {
    const noted: AcceptedAt[] = [];
    const acceptedRecipients = { recall: () => Promise.resolve(null), note: (at: AcceptedAt) => void noted.push(at) };
    await facts(behaviour, { acceptedRecipients }, email);
    expect(noted).toHaveLength(times);
  });

  it('is not sent if the answer would mean nothing', async () => {
    const found = await facts({}, { findProvider: () => provider({ randomProbeMeaningful: false }) });
    expect(found).toMatchObject({ class: 'accepted', random: 'not_asked' });
    expect(recipients()).toEqual([['real@example.com']]);
  });

  it('may end the session without harm to the real answer', async () => {
    const found = await facts({
      rcpt: (path) => (path.startsWith('real@') ? '250 ok' : { text: '550 5.1.1 unknown', after: 'close' }),
    });
    expect(found).toMatchObject({ class: 'accepted', random: 'refused' });
  });

  it('stays inconclusive if the new session fails', async () => {
    let sessions = 0;
    const found = await facts({
      mail: () => (++sessions > 1 ? '421 4.7.0 not again' : '250 ok'),
      rcpt: (path, nth) => (nth === 1 ? realOnly(path) : { text: null, after: 'close' }),
    });
    expect(found).toMatchObject({ class: 'accepted', stage: 'rcpt', code: 250, random: 'inconclusive' });
  });

  it('makes a 252 a catch-all if it is accepted', async () => {
    expect(await facts({ rcpt: '252 will accept' })).toMatchObject({ class: 'accepted', random: 'accepted' });
  });

  it('is a new name each time', async () => {
    await facts({}, { randomLocalPart: undefined });
    await bench.facts('real@example.com', { randomRecipient: true });
    const [first, second] = recipients().map((session) => session[1]);
    expect(first).toMatch(/^[a-z]+\d{3}@example\.com$/);
    expect(second).not.toBe(first);
  });
});
