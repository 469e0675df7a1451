import { setImmediate as oneTurn } from 'node:timers/promises';
import { startLaboratory, type Laboratory } from '../laboratory.js';
import { waitUntil } from '../../support/wait-until.js';
import { domainWithHost } from '../world.js';
import { ACCEPTED, type MailHost } from './mail-host.js';
import { RawClient } from './raw-client.js';

const HOST = 'mx.example.org';
const ENVELOPE = ['EHLO client.example.net', 'MAIL FROM:<sender@example.net>'];
const known: MailHost = { recipients: { real: ACCEPTED } };
const rcpt = (localPart: string): string => `RCPT TO:<${localPart}@example.org>`;

describe('a scripted mail host', () => {
  let laboratory: Laboratory;
  afterEach(() => laboratory.stop());

  async function start(host: MailHost): Promise<RawClient> {
    laboratory = await startLaboratory(domainWithHost('example.org', host));
    return client();
  }
  const client = (): RawClient => RawClient.to(laboratory.addressOf(HOST), laboratory.smtpPort);

  /** The replies to a whole dialogue, greeting included. */
  async function talk(host: MailHost, lines: readonly string[]): Promise<string[]> {
    (await start(host)).destroy();
    return again(lines);
  }
  const again = (lines: readonly string[]): Promise<string[]> =>
    RawClient.talk(laboratory.addressOf(HOST), laboratory.smtpPort, lines);
  const last = (replies: readonly string[]): string => replies.at(-1) ?? '';

  it('is an ordinary mail server by default', async () => {
    const replies = await talk(known, [...ENVELOPE, rcpt('REAL'), rcpt('ghost'), 'RSET', rcpt('real'), 'QUIT']);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['220', '250', '250', '250', '550', '250', '503', '221']);
    expect(replies[1]).toContain('250-PIPELINING\r\n');
    expect(replies[4]).toBe('550 5.1.1 <ghost@example.org>: Recipient address rejected: User unknown\r\n');
  });

  it('keeps a log of every session', async () => {
    await talk(known, [...ENVELOPE, rcpt('real'), 'QUIT']);
    expect(await laboratory.allSessionsClosed()).toBe(true);
    expect(laboratory.sessions(HOST).at(-1)).toMatchObject({
      host: HOST,
      commands: [...ENVELOPE, rcpt('real'), 'QUIT'],
      violations: [],
      secured: false,
      turns: 4,
    });
    expect(() => laboratory.sessions('mx.example.net')).toThrow(RangeError);
  });

  it('counts pipelined commands as one turn, and records pipelining without an offer', async () => {
    const dialogue = async (host: MailHost): Promise<void> => {
      const visitor = await start(host);
      await visitor.reply();
      await visitor.ask('EHLO client.example.net');
      visitor.send(`${ENVELOPE[1]}\r\n${rcpt('real')}\r\n`);
      await visitor.reply();
      await visitor.reply();
      visitor.destroy();
    };
    await dialogue(known);
    expect(laboratory.sessions(HOST)[0]).toMatchObject({ turns: 2, violations: [] });
    await laboratory.stop();
    await dialogue({ ...known, pipelining: false });
    expect(laboratory.sessions(HOST)[0]?.violations).toEqual(['pipelined where it is not offered']);
  });

  it('refuses EHLO, or the name it is greeted with', async () => {
    expect(last(await talk({ ehlo: '502 no' }, ['EHLO a.example', 'HELO a.example']))).toBe(`250 ${HOST}\r\n`);
    await laboratory.stop();
    const heloPolicy = { forbidden: [HOST], answer: '501 5.5.2 no' };
    const replies = await talk({ heloPolicy }, ['EHLO localhost', `HELO ${HOST}`, 'EHLO a.example']);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['220', '501', '501', '250']);
  });

  it('demands MAIL before RCPT, EHLO before MAIL', async () => {
    const replies = await talk(known, [ENVELOPE[1] as string, rcpt('real'), 'NONSENSE']);
    expect(replies.slice(1).map((reply) => reply.slice(0, 3))).toEqual(['503', '503', '502']);
  });

  it('judges by order, limit and number of refusals', async () => {
    const busy = '452 4.5.3 Too many recipients';
    const lines = [...ENVELOPE, rcpt('real'), rcpt('real'), rcpt('real')];
    const codes = async (host: MailHost): Promise<string[]> => {
      const replies = await talk({ ...known, ...host }, lines);
      await laboratory.stop();
      return replies.slice(3).map((reply) => reply.slice(0, 3));
    };
    expect(await codes({ recipientLimit: { count: 1, answer: busy } })).toEqual(['250', '452', '452']);
    expect(await codes({ recipientsByOrder: ['450 later', null] })).toEqual(['450', '250', '250']);
    expect(await codes({ recipients: {}, hardErrorLimit: 2 })).toEqual(['550', '421', '']);
  });

  it('greylists, and accepts the same sender and recipient after the delay', async () => {
    const greylist = { afterMs: 50, answer: '450 4.2.0 Greylisted' };
    const lines = [...ENVELOPE, rcpt('real')];
    const began = performance.now();
    expect(last(await talk({ ...known, greylist }, lines))).toBe('450 4.2.0 Greylisted\r\n');
    let reply = '450';
    while (reply.startsWith('450')) reply = last(await again(lines));
    expect(performance.now() - began).toBeGreaterThanOrEqual(50);
    expect(reply).toBe(`${ACCEPTED}\r\n`);
    expect(last(await again([...ENVELOPE, rcpt('ghost')]))).toMatch(/^550/);
  });

  it.each(['greeting', 'ehlo', 'mail', 'rcpt', 'refused_rcpt'] as const)('hangs up after %s', async (closeAfter) => {
    const replies = await talk({ ...known, closeAfter }, [...ENVELOPE, rcpt('real'), rcpt('ghost'), 'NOOP']);
    const heard = { greeting: 1, ehlo: 2, mail: 3, rcpt: 4, refused_rcpt: 5 }[closeAfter];
    expect(replies.filter((reply) => reply !== '')).toHaveLength(heard);
  });

  it('never greets, greets for ever, or cuts the connection at once', async () => {
    const silent = await start({ greeting: { afterwards: 'silence' } });
    silent.send('EHLO client.example.net\r\n');
    while (laboratory.sessions(HOST)[0]?.violations.length !== 1) await oneTurn();
    expect(await laboratory.allSessionsClosed(30)).toBe(false);
    expect(silent.buffered).toBe(0);
    silent.destroy();
    expect(await laboratory.allSessionsClosed()).toBe(true);
    await laboratory.stop();

    const endless = await start({ greeting: { lines: '220-', afterwards: 'endless' } });
    while (endless.buffered < 100_000) await endless.change();
    endless.destroy();
    expect(await laboratory.allSessionsClosed()).toBe(true);
    await laboratory.stop();

    expect(await (await start({ tcp: 'reset' })).hungUp()).toBe('');
  });

  it('refuses connections, or drops them', async () => {
    const refused = await start({ tcp: 'refused' });
    expect(await refused.hungUp()).toBe('');
    await laboratory.stop();
    const dropped = await start({ tcp: 'dropped' });
    const outcome = await Promise.race([
      dropped.hungUp().then(() => 'answered'),
      new Promise((resolve) => {
        setTimeout(resolve, 150, 'nothing');
      }),
    ]);
    expect(outcome).toBe('nothing');
    dropped.destroy();
  });

  it('disconnects a client that talks before the greeting ends', async () => {
    const postscreen: MailHost = {
      ...known,
      greeting: { lines: ['220-wait', '220 now'], gapMs: 60 },
      earlyTalker: '521 5.5.1 Protocol error',
    };
    const hasty = await start(postscreen);
    await hasty.take(/220-wait\r\n/);
    hasty.send('EHLO client.example.net\r\n');
    expect(await hasty.hungUp()).toBe('521 5.5.1 Protocol error\r\n');
    expect(laboratory.sessions(HOST)[0]?.violations).toEqual(['spoke before the greeting had ended']);
    expect(last(await again(['NOOP']))).toBe('250 2.0.0 Ok\r\n');
  });

  it('splits replies into bytes or lines, with the given line ends', async () => {
    const bytewise = await start({ split: 'byte', lineEnd: '\n', multiline: true, greeting: '220 hi' });
    expect(await bytewise.reply()).toBe('220-hi\n220-(more of the same)\n220 hi\n');
    expect(bytewise.packets).toBeGreaterThan(5);
    bytewise.destroy();
  });

  it('sends bytes, bare codes and mixed codes as they are', async () => {
    const answers: MailHost = {
      recipients: { bytes: { bytes: Buffer.from([0x35, 0x35, 0x30, 0x20, 0xd3, 0xc3, 0x0d, 0x0a]) }, bare: '250' },
      otherRecipients: ['250-2.1.5 ok', '550 5.1.1 no'],
    };
    const replies = await talk(answers, [...ENVELOPE, rcpt('bytes'), rcpt('bare'), rcpt('mixed')]);
    expect(replies.slice(3)).toEqual(['550 \u00D3\u00C3\r\n', '250\r\n', '250-2.1.5 ok\r\n550 5.1.1 no\r\n']);
  });

  it('speaks TLS, and forgets everything said before it', async () => {
    const answer = '530 5.7.0 Must issue a STARTTLS command first';
    const visitor = await start({ ...known, starttls: 'injects', tlsDemanded: { at: 'mail', answer } });
    await visitor.reply();
    expect(await visitor.ask('EHLO client.example.net')).toContain('250-STARTTLS\r\n');
    expect(await visitor.ask(ENVELOPE[1] as string)).toBe(`${answer}\r\n`);
    expect(await visitor.ask('STARTTLS')).toMatch(/^220/);
    expect(await visitor.take(/(250 .*\r\n){3}/)).toContain('injected');
    expect(await visitor.secure()).toBe(true);
    expect(await visitor.ask(ENVELOPE[1] as string)).toMatch(/^503/);
    expect(await visitor.ask('EHLO client.example.net')).not.toContain('STARTTLS');
    expect(await visitor.ask(ENVELOPE[1] as string)).toMatch(/^250/);
    visitor.destroy();
    expect(await laboratory.allSessionsClosed()).toBe(true);
    expect(laboratory.sessions(HOST)[0]?.secured).toBe(true);
  });

  it('refuses STARTTLS, or accepts it and speaks no TLS', async () => {
    expect(last(await talk({ starttlsRefusal: '454 4.7.0 no' }, ['EHLO a.example', 'STARTTLS']))).toBe(
      '454 4.7.0 no\r\n',
    );
    await laboratory.stop();
    const visitor = await start({ starttls: 'broken' });
    await visitor.reply();
    await visitor.ask('EHLO a.example');
    await visitor.ask('STARTTLS');
    expect(await visitor.secure()).toBe(false);
    visitor.destroy();
    expect(await laboratory.allSessionsClosed()).toBe(true);
  });

  it('knows SMTPUTF8 or does not', async () => {
    const recipients = { réal: ACCEPTED };
    const replies = await talk({ recipients }, [...ENVELOPE, rcpt('réal'), 'RSET', `${ENVELOPE[1]} SMTPUTF8`]);
    expect(replies.slice(3).map((reply) => reply.slice(0, 3))).toEqual(['501', '250', '555']);
    await laboratory.stop();
    const demanding: MailHost = { recipients, smtputf8: true, smtputf8Demanded: '550 5.6.7 no' };
    const better = await talk(demanding, [...ENVELOPE, `${ENVELOPE[1]} SMTPUTF8`, rcpt('réal')]);
    expect(better.slice(2).map((reply) => reply.slice(0, 3))).toEqual(['550', '250', '250']);
  });

  it('delays each reply, or each turn', async () => {
    const timed = async (host: MailHost): Promise<number> => {
      const visitor = await start({ ...known, ...host });
      const began = performance.now();
      await visitor.reply();
      visitor.send('NOOP\r\nNOOP\r\nNOOP\r\n');
      for (let n = 0; n < 3; n += 1) await visitor.reply();
      visitor.destroy();
      await laboratory.stop();
      return performance.now() - began;
    };
    expect(await timed({ delayMs: 30 })).toBeGreaterThanOrEqual(4 * 29);
    expect(await timed({ roundTripMs: 30 })).toBeGreaterThanOrEqual(2 * 29);
  });

  it('keeps an answer back until the test lets it go, or the client is gone', async () => {
    let letGo = (): void => {};
    const until = new Promise<void>((resolve) => (letGo = resolve));
    const visitor = await start({ greeting: { lines: '220 at last', until } });
    const impatient = client();
    let isGreeted = false;
    const greeting = visitor.reply().finally(() => (isGreeted = true));
    const isOpen = (count: number) => waitUntil(async () => laboratory.openSessions === count, { ms: 20_000 });
    expect(await isOpen(2)).toBe(true);
    impatient.destroy();
    expect(await isOpen(1)).toBe(true);
    expect(isGreeted).toBe(false);
    letGo();
    expect(await greeting).toBe('220 at last\r\n');
    visitor.destroy();
  });

  it('behaves differently per session, and limits concurrent sessions', async () => {
    const changing: MailHost = { ...known, sessions: [{ mail: '503 5.5.1 send HELO first' }, {}] };
    expect(last(await talk({ ...changing, sessionLimit: 1 }, []))).toMatch(/^503|^220|^421/);
    await laboratory.stop();
    const first = await start({ ...changing, sessionLimit: 1 });
    await first.reply();
    expect(last(await again([]))).toMatch(/^421/);
    expect(await first.ask('EHLO a.example')).toMatch(/^250/);
    expect(await first.ask(ENVELOPE[1] as string)).toMatch(/^503/);
    first.destroy();
    expect(await laboratory.allSessionsClosed()).toBe(true);
    expect(last(await again(ENVELOPE))).toMatch(/^250/);
  });

  it('changes its behaviour while it runs', async () => {
    await talk(known, [...ENVELOPE, rcpt('real')]);
    laboratory.setHost(HOST, { otherRecipients: '550 5.1.1 gone' });
    expect(last(await again([...ENVELOPE, rcpt('real')]))).toBe('550 5.1.1 gone\r\n');
  });

  it('can be a stock server', async () => {
    const replies = await talk({ ...known, server: 'stock' }, [...ENVELOPE, rcpt('real'), rcpt('ghost'), 'QUIT']);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['220', '250', '250', '250', '550', '221']);
    expect(await laboratory.allSessionsClosed()).toBe(true);
    expect(laboratory.sessions(HOST).at(-1)?.commands).toEqual([ENVELOPE[1], rcpt('real'), rcpt('ghost')]);
  });
});
