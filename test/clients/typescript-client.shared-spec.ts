import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import {
  ConnectionError,
  InsufficientCreditsError,
  Mailvet,
  MailvetError,
  NotFoundError,
  RateLimitExceededError,
  UnauthorizedError,
  ValidationFailedError,
  VerifyUnavailableError,
  verifyWebhook,
  WebhookVerificationError,
} from '../../clients/typescript/src/index.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { expectSoundBooks } from '../support/sound-books.js';
import { waitUntil } from '../support/wait-until.js';
import { startCuttingRelay, type CuttingRelay } from './cutting-relay.js';
import { ACCEPTING_DOMAIN as DOMAIN, product, url } from './service.js';

const EVENT = { verdict: 'valid', action: 'allow', reasons: [], degraded: false, source: 'local' };

let relay: CuttingRelay;
let database: Connection;
beforeAll(async () => {
  relay = await startCuttingRelay(url);
  database = await createConnection(product.databaseUrl);
});
afterAll(async () => {
  await database?.end();
  await relay?.close();
});

/** Credits and free verifies that an account has spent by now and not been given back. */
async function spent(accountId: string): Promise<number> {
  const [[row]] = await database.query<(RowDataPacket & { n: string })[]>(
    `SELECT COALESCE(-SUM(purchased + gifted + free_verifies), 0) AS n FROM ledger_entries
      WHERE account_id = ? AND kind IN ('charge', 'refund')`,
    [idToBytes(accountId)],
  );
  return Number(row?.n);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe.each(['test', 'live'] as const)('the TypeScript client with a %s key', (mode) => {
  let mailvet: Mailvet;
  beforeAll(async () => {
    mailvet = new Mailvet({ url, key: await product.createKey(mode) });
  });

  it('verifies one address, and a batch', async () => {
    expect(await mailvet.verify({ email: `valid@${DOMAIN}` })).toMatchObject({
      email: `valid@${DOMAIN}`,
      result: 'valid',
      decision: { recommendation: 'allow' },
    });
    const entries = await mailvet.verifyBatch({ emails: [`valid@${DOMAIN}`, 'no address'], mode: 'standard' });
    expect(entries).toMatchObject([{ result: 'valid' }, { email: 'no address', error: 'invalid_email' }]);
  });

  it('submits a job, follows it, and reads its results in order', async () => {
    const emails = Array.from({ length: 1200 }, (_, i) => `valid@${i % 2 === 0 ? '' : `n${i}.`}${DOMAIN}`);
    const submitted = await mailvet.jobs.submit({ emails });
    expect(submitted).toMatchObject({ status: 'processing', total: emails.length });
    const seen = await collect(mailvet.jobs.wait(submitted.id));
    expect(seen.at(-1)).toMatchObject({ id: submitted.id, status: 'completed', progress: { done: emails.length } });
    expect(seen.at(-1)).not.toHaveProperty('results');
    expect((await collect(mailvet.jobs.results(submitted.id))).map(({ email }) => email)).toEqual(emails);
    expect((await mailvet.jobs.list({ limit: 1 })).jobs).toMatchObject([{ id: submitted.id }]);
    await mailvet.jobs.delete(submitted.id);
    await expect(mailvet.jobs.get(submitted.id)).rejects.toThrow(NotFoundError);
  });

  it('submits a file of comma-separated values', async () => {
    const csv = `who,address\nÉlodie,valid@${DOMAIN}\nBob,valid@${DOMAIN}\n`;
    const { id, total } = await mailvet.jobs.submitCsv(csv, { column: 'address', header: true, name: `File ${mode}` });
    expect(total).toBe(2);
    const entries = await collect(mailvet.jobs.results(id));
    expect(entries.map(({ email }) => email)).toEqual([`valid@${DOMAIN}`, `valid@${DOMAIN}`]);
    const { jobs } = await mailvet.jobs.list({ limit: 1 });
    expect(jobs).toMatchObject([{ id, name: `File ${mode}`, counts: { valid: 2 } }]);
  });

  it('looks up a domain', async () => {
    expect(await mailvet.domains.lookUp({ domain: DOMAIN })).toMatchObject({ name: DOMAIN, types: expect.any(Array) });
  });

  it('reads credits and reports events of guards', async () => {
    expect(await mailvet.credits()).toMatchObject({ plan: 'scale', sandbox: mode === 'test' });
    expect(await mailvet.guard.report([EVENT])).toEqual({ accepted: 1, rejected: 0 });
  });

  it('stops at once when its signal is aborted', async () => {
    const reason = new Error('the user left');
    await expect(mailvet.credits({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const { id } = await mailvet.jobs.submit({ emails: [`slowjob@${DOMAIN}`] });
    const left = new AbortController();
    const waiting = mailvet.jobs.wait(id, { signal: left.signal });
    await waiting.next();
    const next = waiting.next();
    left.abort(reason);
    if (mode === 'test') await expect(next).rejects.toBe(reason);
    else await next.catch((error: unknown) => expect(error).toBe(reason));
  });
});

it('receives a webhook of the service, and refuses it if it was changed', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(204).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const mailvet = new Mailvet({ url, key: await product.createKey('test') });
  const { id, secret } = await mailvet.webhooks.create({ url: address, events: ['job.completed'] });
  expect(await mailvet.webhooks.list()).toMatchObject([{ id, url: address }]);

  await product.cli('webhook', 'test', id);
  const [delivery] = (await waitUntil(async () => received.length > 0 && received, { ms: 60_000 })) ?? [];
  const event = await verifyWebhook<{ endpoint_id: string }>(delivery!.body, delivery!.headers, secret);
  expect(event).toMatchObject({ type: 'webhook.test', data: { endpoint_id: id } });
  const changed = delivery!.body.replace('webhook.test', 'webhook.best');
  await expect(verifyWebhook(changed, delivery!.headers, secret)).rejects.toThrow(WebhookVerificationError);

  await mailvet.webhooks.delete(id);
  expect(await mailvet.webhooks.list()).toEqual([]);
  receiver.close();
});

describe('errors', () => {
  it('have the class of their code', async () => {
    const mailvet = new Mailvet({ url, key: await product.createKey('test'), retries: 0 });
    const single = (localPart: string) => mailvet.verify({ email: `${localPart}@example.com` });
    await expect(single('ratelimit')).rejects.toThrow(RateLimitExceededError);
    await expect(single('ratelimit')).rejects.toMatchObject({ status: 429, retryAfterMs: 1000 });
    await expect(single('servererror')).rejects.toThrow(VerifyUnavailableError);
    await expect(mailvet.verifyBatch({ emails: [] })).rejects.toThrow(ValidationFailedError);
    await expect(mailvet.jobs.get('nothing')).rejects.toMatchObject({
      code: 'not_found',
      requestId: expect.any(String),
    });
    const stranger = new Mailvet({ url, key: 'mv_live_nobody' });
    await expect(stranger.credits()).rejects.toThrow(UnauthorizedError);
    await expect(stranger.credits()).rejects.toThrow(MailvetError);
  });

  it('say how many credits are missing', async () => {
    const { id } = await product.cli<{ id: string }>('account', 'create', '--name', 'Poor', '--plan', 'free');
    const { key } = await product.cli<{ key: string }>('key', 'create', id, '--mode', 'live');
    const emails = Array.from({ length: 101 }, (_, i) => `person-${i}@${DOMAIN}`);
    const refused = new Mailvet({ url, key }).jobs.submit({ emails });
    await expect(refused).rejects.toThrow(InsufficientCreditsError);
    await expect(refused).rejects.toMatchObject({ creditsRequired: expect.any(Number) });
  });
});

describe('connections that are cut in the middle of an answer', () => {
  // Nothing, in the head, and in the body of short and long ones.
  const CUTS = [0, 20, 300, 1200];

  it('cost one charge for each call, and each call gets its answer', async () => {
    const { id: accountId } = await product.cli<{ id: string }>(
      'account',
      'create',
      '--name',
      'Cut',
      '--plan',
      'scale',
    );
    const { key } = await product.cli<{ key: string }>('key', 'create', accountId, '--mode', 'live');
    const mailvet = new Mailvet({ url: relay.url, key });
    await mailvet.credits();
    const cutsBefore = relay.cuts;
    let addresses = 0;
    const ids = new Set<string>();
    for (const [n, octets] of CUTS.entries()) {
      const emails = [`one-${n}@${DOMAIN}`, `two-${n}@${DOMAIN}`];
      relay.cutAfter(octets);
      expect(await mailvet.verify({ email: emails[0]! })).toMatchObject({ email: emails[0], result: 'valid' });
      relay.cutAfter(octets, octets);
      expect(await mailvet.verifyBatch({ emails })).toHaveLength(2);
      relay.cutAfter(octets);
      const job = await mailvet.jobs.submit({ emails });
      ids.add(job.id);
      relay.cutAfter(octets);
      expect(await collect(mailvet.jobs.results(job.id))).toMatchObject(
        emails.map((email) => ({ email, result: 'valid' })),
      );
      addresses += 1 + 2 + 2;
    }
    expect(relay.cuts - cutsBefore).toBeGreaterThan(3 * CUTS.length);
    expect(await spent(accountId)).toBe(addresses);
    expect((await mailvet.jobs.list({ limit: 100 })).jobs.filter(({ id }) => ids.has(id))).toHaveLength(CUTS.length);
    await expectSoundBooks(product);
  });

  it('do not store the events of a guard twice', async () => {
    // A relay of its own: on a connection kept alive, the event might not have reached the API.
    const fresh = await startCuttingRelay(url);
    const mailvet = new Mailvet({ url: fresh.url, key: await product.createKey('live') });
    fresh.cutAfter(20);
    await expect(mailvet.guard.report([{ ...EVENT, lib_version: 'cut' }])).rejects.toThrow(ConnectionError);
    await fresh.close();
    const [[row]] = await database.query<(RowDataPacket & { n: number })[]>(
      "SELECT COUNT(*) AS n FROM guard_events WHERE lib_version = 'cut'",
    );
    expect(row?.n).toBe(1);
  });

  it('do not make a deletion fail', async () => {
    const mailvet = new Mailvet({ url: relay.url, key: await product.createKey('test') });
    const { id } = await mailvet.jobs.submit({ emails: ['valid@example.com'] });
    await collect(mailvet.jobs.wait(id));
    relay.cutAfter(20);
    await mailvet.jobs.delete(id);
    await expect(mailvet.jobs.get(id)).rejects.toThrow(NotFoundError);
  });
});
