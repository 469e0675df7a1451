import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CreditHold } from '../../src/billing/holds/credit-hold.js';
import { BatchService } from '../../src/verify/batch.service.js';
import { VerifyService } from '../../src/verify/verify.service.js';
import { idFromBytes, idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { waitUntil } from '../support/wait-until.js';
import { ask, BillingBench, single, type Caller } from './billing-api.js';
import { entriesOf, mismatches, waitingOn } from './billing-support.js';
import { pendingParts } from './pending-support.js';

const GUARD = { 'x-guard-integration': 'email-guard-test/1.0' };

let bench: BillingBench;
let api: NestFastifyApplication;
let caller: Caller;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi();
});
beforeEach(async () => {
  caller = await bench.newCaller('free-0', { purchased: 10 });
  await bench.database.dataSource.query('DELETE FROM cached_checks');
});
afterAll(() => bench?.close());

type Headers = Readonly<Record<string, string>>;

function requestOf(body: string, headers: Headers = {}): string {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `POST /v1/verify/single HTTP/1.1\r\nHost: api.test\r\nX-API-Key: ${caller.live}\r\n${more.join('')}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

async function connected(to = api): Promise<Socket> {
  const { port } = to.getHttpServer().address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
}

const sessions = (): number => bench.lab.sessions('mx.slow.example').length;

/** Sends calls on one connection, and hangs up when so many more sessions with the slow host have begun. */
async function hangUpAfter(begun: number, requests: readonly string[], of = api): Promise<void> {
  const before = sessions();
  const socket = await connected(of);
  socket.write(requests.join(''));
  expect(await waitUntil(async () => sessions() >= before + begun, { ms: 60_000 })).toBe(true);
  socket.resetAndDestroy();
}

/** Charges and refunds of the caller, whose books are right. */
async function entries(): Promise<string[]> {
  expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
  const rows = await entriesOf(bench.database.dataSource, caller.accountId);
  return rows.map(({ kind }) => kind).filter((kind) => kind !== 'grant');
}
const hasPaid = (times: number): Promise<boolean | null> =>
  waitUntil(async () => (await entries()).length === times, { ms: 60_000 });

describe('the cached check of an address', () => {
  const rows = async (): Promise<number> => {
    const [row] = await bench.database.dataSource.query<{ checks: string }[]>(
      'SELECT COUNT(*) AS checks FROM cached_checks',
    );
    return Number(row!.checks);
  };
  const NOWHERE = ['ada@nowhere.example', 'bob@nowhere.example'];

  it('is never from an unpaid call: quick checks, and calls of disconnected callers', async () => {
    for (const email of NOWHERE) {
      const quick = await ask(api, caller.live, { payload: single(email, 'quick') });
      expect([quick.status, quick.body['reason']]).toEqual([200, 'no_mx']);
    }
    const payload = JSON.stringify({ emails: NOWHERE, mode: 'quick' });
    expect((await ask(api, caller.live, { url: '/v1/verify/batch', payload })).status).toBe(200);
    const calls = api.get(VerifyService, { strict: false });
    const batches = api.get(BatchService, { strict: false });
    const asked = { account: caller.accountId, mode: 'standard', maxAgeSeconds: null, deadlineMs: 30_000 } as const;
    const gone = {
      readAhead: () => undefined,
      reserve: async () => undefined,
      reservePrefix: async (p: readonly number[]) => p.length,
    };
    const hold = { ...gone, canPay: async () => true, callerIsGone: () => true } as unknown as CreditHold;
    const given = await Promise.all([
      calls.single(NOWHERE[0]!, { ...asked, async: false, pendingAfterMs: null }, hold),
      batches.batch(NOWHERE, asked, hold),
    ]);
    for (const { after } of given) await after?.(false);
    expect(await rows()).toBe(0);
    expect(await entries()).toEqual([]);
  });

  it('is stored when the paid answer comes', async () => {
    await ask(api, caller.live, { payload: single(NOWHERE[0]!) });
    expect(await rows()).toBe(1);
    const payload = JSON.stringify({ emails: [...NOWHERE, NOWHERE[1]] });
    await ask(api, caller.live, { url: '/v1/verify/batch', payload });
    expect(await rows()).toBe(2);
    expect(await entries()).toEqual(['charge', 'charge']);
  });
});

describe('a caller that disconnects after a probe of its call has begun', () => {
  it('is charged once for the verdict, and gets it under its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newId() };
    await hangUpAfter(1, [requestOf(single('ada@slow.example'), headers)]);
    expect(await hasPaid(1)).toBe(true);
    const before = sessions();
    const again = await ask(api, caller.live, { payload: single('ada@slow.example'), headers });
    expect(again).toMatchObject({
      status: 200,
      headers: { 'idempotency-replayed': 'true', 'x-credits-used': '0', 'x-credits-remaining': '9' },
      body: { result: 'valid', reason: 'mailbox_accepts' },
    });
    expect(sessions()).toBe(before);
    expect(await entries()).toEqual(['charge']);
  });

  it('pays for each of its pipelined calls', async () => {
    await hangUpAfter(2, [requestOf(single('ada@slow.example')), requestOf(single('bob@slow.example'))]);
    expect(await hasPaid(2)).toBe(true);
  });

  it('pays for a guard call with a pending answer, too', async () => {
    const key = { 'idempotency-key': newId() };
    await hangUpAfter(1, [requestOf(single('grace@slow.example'), { ...GUARD, ...key })]);
    expect(await hasPaid(1)).toBe(true);
    const again = await ask(api, caller.live, { payload: single('grace@slow.example'), headers: { ...GUARD, ...key } });
    expect(again).toMatchObject({ status: 200, headers: { 'idempotency-replayed': 'true', 'x-credits-used': '0' } });
    expect(await entries()).toEqual(['charge']);
  });

  it('is refunded when its probe ends without a verdict', async () => {
    await hangUpAfter(1, [requestOf(single('heidi@slow.example'), GUARD)]);
    expect(await hasPaid(1)).toBe(true);
    const { dataSource } = bench.database;
    const [waiting] = await dataSource.query<{ waits_on: Buffer }[]>(
      `SELECT w.waits_on FROM waiting_charges w JOIN ledger_entries e ON e.reference = w.reference WHERE e.account_id = ?`,
      [idToBytes(caller.accountId)],
    );
    expect(await pendingParts(dataSource).endings.fail(idFromBytes(waiting!.waits_on), 'a fault of ours')).toBe(true);
    expect(await entries()).toEqual(['charge', 'refund']);
  });

  it('gets no more probes than it can pay for, however often it disconnects', async () => {
    const before = sessions();
    const names = Array.from({ length: 25 }, (_, i) => `u${i}`);
    const sockets = await Promise.all(
      names.map(async (name) => {
        const socket = await connected();
        socket.write(requestOf(single(`${name}@slow.example`)));
        return socket;
      }),
    );
    expect(await waitUntil(async () => sessions() >= before + 5, { ms: 60_000 })).toBe(true);
    for (const socket of sockets) socket.resetAndDestroy();
    const allPaid = async (): Promise<boolean> => (await entries()).length === sessions() - before;
    expect(await waitUntil(allPaid, { ms: 60_000 })).toBe(true);
    expect(sessions() - before).toBeLessThanOrEqual(10);
  });

  it('pays for a probe that a worker makes', async () => {
    const portless = await bench.startApi({ PROBE_IN_API: 'false', VERIFY_DEADLINE_MS: '1000' });
    const { dataSource } = bench.database;
    await dataSource.query('DELETE FROM pending_probes');
    const socket = await connected(portless);
    socket.write(requestOf(single('ivan@slow.example')));
    const isLeft = async (): Promise<boolean> =>
      (await dataSource.query<unknown[]>('SELECT 1 FROM pending_probes WHERE active = 1')).length === 1;
    expect(await waitUntil(isLeft, { ms: 60_000 })).toBe(true);
    socket.resetAndDestroy();
    expect(await hasPaid(1)).toBe(true);
    const [probe] = await dataSource.query<{ id: Buffer }[]>('SELECT id FROM pending_probes');
    expect(await waitingOn(dataSource, idFromBytes(probe!.id))).toHaveLength(1);
  });

  it('is charged even while the process stops', async () => {
    const own = await bench.startApi();
    await hangUpAfter(1, [requestOf(single('carol@slow.example'))], own);
    await own.close();
    expect(await entries()).toEqual(['charge']);
  });
});

describe('a caller that has closed its half of the connection', () => {
  it('is charged and gets its answers', async () => {
    const socket = await connected();
    socket.end(requestOf(single('ada@slow.example')) + requestOf(single('bob@slow.example')));
    const answers = await text(socket);
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(answers.match(/"reason":"mailbox_accepts"/g)).toHaveLength(2);
    expect(await entries()).toEqual(['charge', 'charge']);
  });
});
