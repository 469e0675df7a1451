import { once } from 'node:events';
import { connect } from 'node:net';
import { SmtpConnection } from '../../src/engine/smtp/connection.js';
import { SmtpSession } from '../../src/engine/smtp/session.js';
import { holdUp } from '../support/hold-up.js';
import { EHLO_PIPELINING, ScriptedHost, type Behaviour } from './support/scripted-host.js';

const IDENTITY = { heloName: 'probe.example.net', mailFrom: 'verify@probe.example.net' };
const TIMEOUT_MS = 2_000;
const MANY = Array.from({ length: 200 }, (_, index) => `${index % 2 ? 'real' : 'ghost'}@${index}.example.com`);

describe('SmtpSession', () => {
  let host: ScriptedHost;
  let session: SmtpSession;
  const open = async (behaviour: Behaviour): Promise<void> => {
    host = await ScriptedHost.start(behaviour);
    const socket = connect(host.port, host.address);
    await once(socket, 'connect');
    const connection = new SmtpConnection(socket, 'mx.example.test', new AbortController().signal, undefined);
    session = new SmtpSession(connection, IDENTITY, () => TIMEOUT_MS);
    await session.greet();
    await session.hello('EHLO');
  };
  afterEach(async () => {
    session.close();
    await host.allClosed();
    await host.stop();
  });
  const codes = (answers: Awaited<ReturnType<SmtpSession['transact']>>['recipients']): (number | string)[] =>
    answers.map((answer) => (answer.kind === 'reply' ? answer.reply.code : answer.kind));
  const expected = MANY.map((path) => (path.startsWith('real') ? 250 : 550));

  it.each([true, false])('sends many recipients in one transaction (pipelined: %s)', async (pipelined) => {
    await open({ ehlo: EHLO_PIPELINING });
    const { recipients } = await session.transact(MANY, { pipelined, smtpUtf8: false });
    expect(codes(recipients)).toEqual(expected);
  });

  it('supports any number of transactions, with RSET between them', async () => {
    await open({ ehlo: EHLO_PIPELINING, coalesce: true });
    for (const path of ['real@example.com', 'ghost@example.com', 'real@example.com']) {
      const { recipients } = await session.transact([path], { pipelined: true, smtpUtf8: false });
      expect(codes(recipients)).toEqual([path.startsWith('real') ? 250 : 550]);
    }
    expect(host.commands.filter((line) => line === 'RSET')).toHaveLength(2);
    expect(host.visits[0]?.flights).toBe(4);
  });

  it('stays in step after a refused sender with pipelined recipients', async () => {
    let senders = 0;
    await open({
      ehlo: EHLO_PIPELINING,
      mail: () => (++senders === 1 ? '451 4.3.0 not now' : '250 ok'),
      rcpt: (path) => (senders === 1 ? '503 5.5.1 MAIL first' : path.startsWith('real') ? '250 ok' : '550 5.1.1 no'),
    });
    const pipelined = { pipelined: true, smtpUtf8: false };
    const refused = await session.transact(['real@example.com', 'ghost@example.com'], pipelined);
    expect(refused).toMatchObject({ mail: { kind: 'reply', reply: { code: 451 } }, recipients: [] });
    const { recipients } = await session.transact(['ghost@example.com', 'real@example.com'], pipelined);
    expect(codes(recipients)).toEqual([550, 250]);
  });

  it.each([true, false])('sends further recipients of the same transaction (pipelined: %s)', async (pipelined) => {
    await open({ ehlo: EHLO_PIPELINING });
    await session.transact(MANY.slice(0, 2), { pipelined, smtpUtf8: false });
    expect(codes(await session.transactFurther(MANY.slice(2, 7), pipelined))).toEqual(expected.slice(2, 7));
    expect(session.lastWaitsMs).toHaveLength(5);
    expect(host.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(1);
  });

  it('sends nothing to a host that has said goodbye', async () => {
    const goodbye = { text: '550 5.1.1 unknown\r\n421 4.7.0 too many errors\r\n', raw: true, after: 'close' } as const;
    await open({ rcpt: goodbye });
    const { recipients } = await session.transact(['ghost@example.com'], { pipelined: false, smtpUtf8: false });
    expect(codes(recipients)).toEqual([550]);
    expect(await session.transactFurther(['real@example.com'], false)).toEqual([]);
    expect(host.commands.at(-1)).toBe('RCPT TO:<ghost@example.com>');
  });

  it('takes a reply that came while the process was held up until its time was over', async () => {
    await open({
      rcpt: () => {
        setImmediate(() => holdUp(TIMEOUT_MS));
        return '250 ok';
      },
    });
    const { recipients } = await session.transact(['real@example.com'], { pipelined: false, smtpUtf8: false });
    expect(codes(recipients)).toEqual([250]);
  });

  it('answers for recipients that a host did not reach', async () => {
    await open({ rcpt: (_, nth) => (nth < 3 ? '250 ok' : { text: '421 4.7.0 enough', after: 'close' }) });
    const { recipients } = await session.transact(MANY.slice(0, 5), { pipelined: false, smtpUtf8: false });
    expect(codes(recipients)).toEqual([250, 250, 421, 'closed', 'closed']);
  });

  it('ends every wait when we close the connection', async () => {
    await open({ mail: { text: null } });
    const waiting = session.transact(['real@example.com'], { pipelined: false, smtpUtf8: false });
    session.close();
    expect((await waiting).mail).toEqual({ kind: 'closed', stage: 'mail' });
  });

  it('stops reading from a peer that floods unsolicited replies', async () => {
    await open({ mail: { text: '250 ok\r\n'.repeat(200_000), raw: true } });
    const before = process.memoryUsage().heapUsed;
    await session.transact(['real@example.com'], { pipelined: false, smtpUtf8: false });
    await new Promise((resolve) => setImmediate(resolve));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 << 20);
  });
});
