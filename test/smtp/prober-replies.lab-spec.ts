import { classifyReply } from '../../src/engine/smtp/classify/classify-reply.js';
import { EHLO_PIPELINING, EHLO_PLAIN, type Behaviour } from './support/scripted-host.js';
import { HELO_NAME, ProbeBench } from './support/probe-bench.js';

describe('a probe of one recipient', () => {
  let bench: ProbeBench;
  const start = async (...behaviours: Behaviour[]): Promise<ProbeBench> => {
    bench = await ProbeBench.start(...behaviours);
    return bench;
  };
  afterEach(() => bench.stop());

  it('reports an accepted recipient and sends QUIT', async () => {
    await start({});
    const facts = await bench.facts('real@example.com');
    expect(facts).toMatchObject({
      stage: 'rcpt',
      ending: 'reply',
      code: 250,
      enhanced: '2.1.5',
      class: 'accepted',
      random: 'not_asked',
      host: 'mx1.example.test',
      egress: `direct/${HELO_NAME}`,
    });
    await bench.allClosed();
    expect(bench.hosts[0]?.commands).toEqual([
      `EHLO ${HELO_NAME}`,
      `MAIL FROM:<verify@${HELO_NAME}>`,
      'RCPT TO:<real@example.com>',
      'QUIT',
    ]);
  });

  it('reports a missing mailbox', async () => {
    await start({});
    expect(await bench.facts('ghost@example.com')).toMatchObject({
      class: 'mailbox_not_found',
      permanent: true,
      code: 550,
    });
  });

  it.each<[string, Behaviour]>([
    ['multi-line, a packet per line', { rcpt: pieces('550-5.1.1 no\r\n', '550-5.1.1 such\r\n', '550 5.1.1 user\r\n') }],
    ['cut in the middle of a code', { rcpt: pieces('5', '50 5.1', '.1 no such user\r', '\n') }],
    ['ended by a bare LF', { rcpt: { text: '550 5.1.1 no such user\n', raw: true } }],
    [
      'in another charset',
      { rcpt: { text: Buffer.from('3535302d352e312e3120d3c3bba70d0a35353020d3c3bba70d0a', 'hex'), raw: true } },
    ],
  ])('reads a reply that is %s', async (_, behaviour) => {
    await start(behaviour);
    expect(await bench.facts('ghost@example.com')).toMatchObject({
      class: 'mailbox_not_found',
      code: 550,
      enhanced: '5.1.1',
    });
  });

  it('reads bare codes without any text', async () => {
    await start({ greeting: '220', ehlo: '250', mail: '250', rcpt: '250' });
    expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted', code: 250, enhanced: null });
  });

  it('concludes nothing from a reply with inconsistent codes', async () => {
    await start({ rcpt: '250-2.1.5 ok\r\n550 5.1.1 no' });
    expect(await bench.facts('ghost@example.com')).toMatchObject({
      stage: 'rcpt',
      ending: 'garbage',
      class: null,
      permanent: false,
    });
  });

  it('counts a 251 as accepted, and a 252 as nothing', async () => {
    await start({
      rcpt: (path) => (path.startsWith('moved') ? '251 will forward' : '252 cannot VRFY, but will accept'),
    });
    expect(await bench.facts('moved@example.com')).toMatchObject({ class: 'accepted', code: 251 });
    expect(await bench.facts('real@example.com')).toMatchObject({ class: 'unattributed', code: 252, permanent: false });
  });

  it.each<[string, Behaviour, string]>([
    ['an endless line in the greeting', { greeting: { text: 'x'.repeat(100_000), raw: true } }, 'greeting'],
    ['an endless reply', { ehlo: { text: '250-x\r\n'.repeat(100_000), raw: true } }, 'ehlo'],
    ['another protocol', { greeting: 'SSH-2.0-OpenSSH_9.2' }, 'greeting'],
    ['a code that answers nothing of ours', { mail: '354 go on' }, 'mail'],
  ])('ends the session at %s', async (_, behaviour, stage) => {
    await start(behaviour);
    expect(await bench.facts('real@example.com')).toMatchObject({ stage, ending: 'garbage' });
    await bench.allClosed();
  });

  it('does not take a stray reply for the answer to the next command', async () => {
    await start({ mail: { text: '250 ok\r\n250 ok\r\n', raw: true }, rcpt: '550 5.1.1 unknown' });
    expect(await bench.facts('ghost@example.com')).toMatchObject({ stage: 'rcpt', ending: 'garbage' });
    expect(bench.hosts[0]?.commands.join()).not.toContain('RCPT');
  });

  it.each<[string, object]>([
    ['MAIL', { mail: { text: '250 ok\r\n250 ok\r\n', raw: true }, rcpt: '550 5.1.1 User unknown' }],
    ['RCPT', { rcpt: { text: '250 ok\r\n250 ok\r\n', raw: true } }],
  ])('trusts no answer about a mailbox if %s was answered twice', async (_, script) => {
    await start({ ehlo: EHLO_PIPELINING, coalesce: true, ...script });
    expect(await bench.facts('ghost@example.com')).toMatchObject({ stage: 'rcpt', ending: 'garbage', class: null });
  });

  it('reads an unsolicited 421', async () => {
    await start({ greeting: { text: '220 hello\r\n421 4.3.2 shutting down\r\n', raw: true, after: 'close' } });
    expect(await bench.facts('real@example.com')).toMatchObject({
      stage: 'ehlo',
      ending: 'reply',
      code: 421,
      subject: 'us',
    });
  });

  it('waits for the whole greeting before it sends', async () => {
    await start({ greeting: pieces('220-wait for it\r\n', '220-still\r\n', '220 mx.example.test\r\n') });
    expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
    expect(bench.hosts[0]?.visits[0]?.spokeEarly).toBe(false);
  });

  it('closes without sending if the greeting never completes', async () => {
    await start({ greeting: { text: '220-teaser' } });
    const facts = await bench.facts('real@example.com', { greetingTimeoutMs: 50 });
    expect(facts).toMatchObject({ stage: 'greeting', ending: 'timeout' });
    await bench.allClosed();
    expect(bench.hosts[0]?.commands).toEqual([]);
  });

  it.each<[string, Behaviour, string]>([
    ['the greeting', { greeting: { text: null } }, 'greeting'],
    ['EHLO', { ehlo: { text: null } }, 'ehlo'],
    ['MAIL', { mail: { text: null } }, 'mail'],
    ['RCPT', { rcpt: { text: null } }, 'rcpt'],
    ['the last line of a reply', { rcpt: '250-half' }, 'rcpt'],
  ])('times out on a host that is silent at %s', async (_, behaviour, stage) => {
    await start(behaviour);
    const facts = await bench.facts('real@example.com', { greetingTimeoutMs: 100, commandTimeoutMs: 500 });
    expect(facts).toMatchObject({ stage, ending: 'timeout', code: null, class: null });
    await bench.allClosed();
  });

  it.each<[string, Behaviour, string]>([
    ['at once', { greeting: { text: null, after: 'close' } }, 'greeting'],
    ['at MAIL', { mail: { text: null, after: 'close' } }, 'mail'],
    ['at RCPT', { rcpt: { text: null, after: 'close' } }, 'rcpt'],
    ['at RCPT, with a reset', { rcpt: { text: null, after: 'reset' } }, 'rcpt'],
    ['in the middle of a reply', { rcpt: { text: '250-', raw: true, after: 'close' } }, 'rcpt'],
  ])('reports a host that hangs up %s', async (_, behaviour, stage) => {
    await start(behaviour);
    expect(await bench.facts('real@example.com')).toMatchObject({ stage, ending: 'closed', class: null });
  });

  it.each(['close', 'reset'] as const)('uses a reply that came before the peer hung up (%s)', async (after) => {
    await start({ rcpt: { text: '550 5.1.1 no such user', after } });
    expect(await bench.facts('ghost@example.com')).toMatchObject({ class: 'mailbox_not_found' });
  });

  it.each(['close', 'reset'] as const)('uses it with pipelining, too (%s)', async (after) => {
    await start({ ehlo: EHLO_PIPELINING, rcpt: { text: '550 5.1.1 no such user', after } });
    const facts = await bench.facts('ghost@example.com', { randomRecipient: true });
    expect(facts).toMatchObject({ class: 'mailbox_not_found', random: 'inconclusive' });
  });

  it('uses an acceptance that was followed by the end of the connection', async () => {
    await start({ rcpt: { text: '250 2.1.5 ok', after: 'close' } });
    expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
  });

  it.each(['221 2.0.0 bye', '421 4.3.2 shutting down'])('takes no unasked %s for a second answer', async (goodbye) => {
    await start({ rcpt: { text: `250 2.1.5 ok\r\n${goodbye}\r\n`, raw: true, after: 'close' } });
    expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
  });

  it('accepts a host that hangs up on QUIT, or before it', async () => {
    await start({ rcpt: { text: '250 ok', after: 'reset' } });
    expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
    await bench.allClosed();
  });

  it('asks about postmaster once, and takes it for no witness of itself', async () => {
    await start({ rcpt: '550 rejected' });
    const facts = await bench.facts('postmaster@example.com', { classify: classifyReply });
    expect(facts).toMatchObject({ class: 'unattributed', witness: 'inconclusive' });
    expect(bench.hosts[0]?.commands.filter((line) => line.startsWith('RCPT'))).toHaveLength(1);
  });

  it('never sends commands smuggled in a recipient', async () => {
    await start({});
    await expect(bench.probe('a\r\nDATA@example.com')).rejects.toThrow(RangeError);
    await bench.allClosed();
    expect(bench.hosts[0]?.commands.join()).not.toContain('DATA');
  });

  it('traces the whole dialogue, without terminal escapes', async () => {
    await start({ greeting: '220 \u001b[2Jmx', ehlo: EHLO_PLAIN });
    await bench.facts('real@example.com');
    const lines = bench.trace.flatMap((event) => (event.kind === 'smtp' ? [`${event.direction} ${event.line}`] : []));
    expect(lines).toEqual([
      String.raw`received 220 \x1b[2Jmx`,
      `sent EHLO ${HELO_NAME}`,
      'received 250-mx.example.test',
      'received 250 SIZE 1000000',
      `sent MAIL FROM:<verify@${HELO_NAME}>`,
      'received 250 2.1.0 sender ok',
      'sent RCPT TO:<real@example.com>',
      'received 250 2.1.5 ok',
      'sent QUIT',
    ]);
  });
});

function pieces(...parts: string[]): { text: null; pieces: string[] } {
  return { text: null, pieces: parts };
}
