import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSigningSecret } from '../../src/webhooks/signing/signing-secret.js';
import { signDelivery } from '../../src/webhooks/signing/sign-delivery.js';
import { freePort } from '../support/free-port.js';
import { waitUntil } from '../support/wait-until.js';

const DOCUMENT = join(__dirname, '../../docs/webhooks.md');
const SECRET = newSigningSecret();
const BODY = JSON.stringify({ type: 'job.completed', timestamp: '2026-11-29T08:00:00.000Z', data: { id: 'a job' } });

let receiver: ChildProcess;
let printed = '';
let url: string;
let folder: string;
beforeAll(async () => {
  const [, example = ''] = /```js\n(.*?)```/s.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  writeFileSync(join(folder, 'receiver.mjs'), example);
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRET, PORT: String(port) };
  receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  receiver.stdout!.on('data', (text: Buffer) => (printed += text.toString()));
  await waitUntil(() => fetch(url).catch(() => null), { ms: 60_000 });
});
afterAll(async () => {
  if (receiver.exitCode === null) {
    const gone = once(receiver, 'exit');
    receiver.kill();
    await gone;
  }
  rmSync(folder, { recursive: true });
});

const send = async (headers: object, body = BODY): Promise<number> =>
  (await fetch(url, { method: 'POST', body, headers: { ...headers } })).status;

it('the receiver of the documentation takes what is genuine, each event once', async () => {
  const headers = signDelivery({ id: 'one', body: BODY, at: new Date() }, [newSigningSecret(), SECRET]);
  expect([await send(headers), await send(headers)]).toEqual([204, 204]);
  await waitUntil(() => Promise.resolve(printed.includes('job.completed')), { ms: 60_000 });
  expect(printed).toBe("job.completed { id: 'a job' }\n");
});

it('the receiver of the documentation refuses anything else', async () => {
  const now = new Date();
  const good = signDelivery({ id: 'two', body: BODY, at: now }, [SECRET]);
  const old = signDelivery({ id: 'two', body: BODY, at: new Date(now.getTime() - 600_000) }, [SECRET]);
  const forged = signDelivery({ id: 'two', body: BODY, at: now }, [newSigningSecret()]);
  expect(await send(good, BODY.replace('a job', 'no job'))).toBe(400);
  expect(await send({ ...good, 'webhook-id': 'three' })).toBe(400);
  expect([await send(old), await send(forged), await send({})]).toEqual([400, 400, 400]);
});
