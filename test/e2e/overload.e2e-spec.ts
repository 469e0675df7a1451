import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { resolve as pathOf } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-port.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';
import { FAILURE_THRESHOLD, watchLiveness } from '../support/watch-liveness.js';

let product: Product;
let api: RunningApi;
let neighbour: string;
let metricsPort: number;
beforeAll(async () => {
  product = await startProduct({ SMTP_CHECK_DOMAINS: 'none' });
  // The heap that Node takes in a container of 512 MiB.
  metricsPort = await freePort();
  api = await product.startApi({ NODE_OPTIONS: '--max-old-space-size=256', METRICS_PORT: String(metricsPort) });
  const { id } = await product.cli<{ id: string }>('account', 'create', '--name', 'Neighbour', '--plan', 'scale');
  neighbour = (await product.cli<{ key: string }>('key', 'create', id, '--mode', 'test')).key;
});
afterAll(() => product.close());

const EMAILS = Array.from({ length: 10_000 }, (_, i) => `user-${i}@company.example`);

/** As large as the body of a job may be, nearly all of it values in a field that nobody takes. */
function padded(): Buffer {
  const head = `{"emails":${JSON.stringify(EMAILS)},"x":[`;
  return Buffer.from(`${head}${'{},'.repeat((8 * 1024 * 1024 - head.length - 4) / 3)}{}]}`);
}

/** @returns the status, or 0 where the connection ended without one */
function submit(key: string, body: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length };
    const url = `${api.url}/v1/verify/jobs`;
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}

it('thirty concurrent bodies of eight million octets crash no process and delay no other account', async () => {
  const key = await product.createKey('test');
  const body = padded();
  const attack = { over: false };
  const ended = Promise.all(Array.from({ length: 30 }, () => submit(key, body))).finally(() => (attack.over = true));
  let served = 0;
  for (; !attack.over || served === 0; served++) {
    expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
    expect((await api.verify(neighbour, { email: 'valid@example.com' })).status).toBe(200);
  }
  const statuses = await ended;
  // 0: refused before its body was read, which its client did not hear.
  expect([...new Set(statuses)].filter((status) => ![0, 422, 429, 503].includes(status))).toEqual([]);
  expect(statuses).toContain(422);
  expect((await api.post('/v1/verify/jobs', key, { emails: EMAILS })).status).toBe(202);
});

it('thousands of connections delay no health probe on the metrics port', async () => {
  const flood = fork(pathOf(__dirname, 'attackers/connection-flood.cjs'), [], { execArgv: [] });
  flood.send(Number(new URL(api.url).port));
  const liveness = watchLiveness(`http://127.0.0.1:${metricsPort}`, api.process.pid, 100);
  const taken = async (): Promise<number> => {
    const answered = once(flood, 'message');
    flood.send('count');
    return ((await answered) as [number])[0];
  };
  while ((await taken()) < 20_000) await delay(100);
  const seen = await liveness.stop();
  flood.disconnect();
  console.log(JSON.stringify(seen));
  expect(seen.asked).toBeGreaterThan(FAILURE_THRESHOLD);
  expect(seen.failedInARow).toBeLessThan(FAILURE_THRESHOLD);
});
