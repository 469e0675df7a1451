import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Mode } from '../../src/engine/verdict/result.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';
import { jsonLines } from '../support/shared-data.js';
import { waitUntil } from '../support/wait-until.js';

interface JobAnswer {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly results: readonly unknown[];
}

let lab: Laboratory;
let product: Product;
let key: string;
beforeAll(async () => {
  lab = await startLaboratory({ dns: {}, hosts: {} });
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    SMTP_CHECK_DOMAINS: 'none',
  });
  key = await product.createKey('test');
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});

const golden = jsonLines<[Mode, { readonly email: string }]>(
  readFileSync(resolve(__dirname, '../contract/golden/sandbox.jsonl'), 'utf8'),
);

/** The bytes that a process answers for each line of the golden file. */
async function answers({ url }: RunningApi): Promise<string[]> {
  const texts: string[] = [];
  for (const [mode, { email }] of golden) {
    const response = await fetch(`${url}/v1/verify/single`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ email, mode }),
    });
    texts.push(await response.text());
  }
  return texts;
}

async function read(api: RunningApi, id: string): Promise<JobAnswer> {
  const response = await fetch(`${api.url}/v1/verify/jobs/${id}`, { headers: { 'x-api-key': key } });
  return (await response.json()) as JobAnswer;
}

const goldenTexts = golden.map(([, result]) => JSON.stringify(result));

it('gives identical answers again, in another process, and after a restart', async () => {
  const [first, second] = [
    await product.startApi(),
    await product.startApi({ TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8' }),
  ];
  expect(await answers(first)).toEqual(goldenTexts);
  expect(await answers(first)).toEqual(goldenTexts);
  expect(await answers(second)).toEqual(goldenTexts);
  await Promise.all([first.process.stop(), second.process.stop()]);
  const restarted = await product.startApi({ ADDRESS_HASH_SECRET: '7:another-secret-than-before' });
  expect(await answers(restarted)).toEqual(goldenTexts);
  await restarted.process.stop();
});

it('completes a slow job three seconds after its submit, without the worker', async () => {
  const [api, worker] = [await product.startApi(), await product.startWorker()];
  const sent = ['slowjob@company.example', 'valid@company.example', 'servererror@company.example'];
  const { body: submitted } = await api.post('/v1/verify/jobs', key, { emails: sent });
  expect(submitted).toMatchObject({ status: 'processing' });
  expect(submitted).not.toHaveProperty('results');
  const began = Date.parse(String(submitted['created_at']));
  const completed = await waitUntil(
    async () => {
      const job = await read(api, String(submitted['id']));
      return job.status === 'completed' && { job, at: Date.now() };
    },
    { ms: 60_000, everyMs: 100 },
  );
  // The database's clock is the machine's.
  expect(completed!.at - began).toBeGreaterThanOrEqual(3000);
  expect(completed!.job.results).toMatchObject([
    { email: 'slowjob@company.example', reason: 'smtp_timeout' },
    { email: 'valid@company.example', result: 'valid' },
    { email: 'servererror@company.example', error: 'verify_unavailable' },
  ]);
  expect(lab.dnsQueries('company.example')).toBe(0);
  expect(lab.totalSessions).toBe(0);
  await Promise.all([api.process.stop(), worker.process.stop()]);
});
