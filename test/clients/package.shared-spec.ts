import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VERSION } from '../../clients/typescript/src/version.js';
import { EmptyProject } from './empty-project.js';
import { product, url } from './service.js';

/** Uses each part of the client, with the types that it declares. */
const PROGRAM = `
import {
  type Entry, type JobProgress, Mailvet, MailvetError, UnauthorizedError, verifyWebhook, WebhookVerificationError, type VerifyResult,
} from '@mailvet/client';

async function main(): Promise<void> {
  const mailvet = new Mailvet({ retries: 2 });
  const said: unknown[] = [];
  const result: VerifyResult = await mailvet.verify({ email: 'valid@company.example', mode: 'enhanced' });
  said.push(result.result, result.decision.recommendation);
  const entries: readonly Entry[] = await mailvet.verifyBatch({ emails: ['valid@company.example', 'nothing'] });
  said.push(entries.map((entry) => ('error' in entry ? entry.error : entry.result)));
  const { id } = await mailvet.jobs.submit({ emails: ['valid@company.example'] });
  let last: JobProgress | undefined;
  for await (const job of mailvet.jobs.wait(id)) last = job;
  said.push(last?.status);
  for await (const entry of mailvet.jobs.results(id)) said.push(entry.email);
  said.push((await mailvet.credits({ signal: new AbortController().signal })).plan);
  const event = { verdict: 'valid', action: 'allow', reasons: [], degraded: false, source: 'local' };
  said.push((await mailvet.guard.report([event])).accepted);
  try {
    await new Mailvet({ key: 'mv_live_nobody' }).credits();
  } catch (error) {
    if (error instanceof UnauthorizedError) said.push(error.code, error instanceof MailvetError);
  }
  const headers = { 'webhook-id': '1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,' };
  await verifyWebhook('{}', headers, 'whsec_AAAA').catch((error) => said.push(error instanceof WebhookVerificationError));
  // @ts-expect-error a mode that does not exist
  await mailvet.verify({ email: 'a@company.example', mode: 'thorough' }).catch((error) => said.push(error.code));
  console.log(JSON.stringify(said));
}

void main();
`;

/** The first program of the client's README. */
const [, README = ''] = /```ts\n(.*?)```/s.exec(
  readFileSync(resolve(__dirname, '../../clients/typescript/README.md'), 'utf8'),
)!;

const project = new EmptyProject();
beforeAll(async () => {
  await project.install();
  project.write('module.mts', PROGRAM);
  project.write('common.cts', PROGRAM);
  project.write('readme.mts', README);
});
afterAll(() => project.remove());

it('the packed client passes a strict type check in an empty project, as ES module and as CommonJS', async () => {
  expect(await project.compile()).toEqual({ exit: 0, stdout: '', stderr: '' });
});

it.each([
  ['module.mjs', 'test'],
  ['common.cjs', 'test'],
  ['module.mjs', 'live'],
  ['common.cjs', 'live'],
] as const)('%s runs against the service with a %s key', async (file, mode) => {
  const MAILVET_KEY = await product.createKey(mode);
  const { exit, stdout, stderr } = await project.run(process.execPath, [file], { MAILVET_URL: url, MAILVET_KEY });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual([
    'valid',
    'allow',
    ['valid', 'invalid_email'],
    'completed',
    'valid@company.example',
    'scale',
    1,
    'unauthorized',
    true,
    true,
    'validation_failed',
  ]);
});

it('the program of the README runs', async () => {
  const MAILVET_KEY = await product.createKey('test');
  const { stdout, stderr } = await project.run(process.execPath, ['readme.mjs'], { MAILVET_URL: url, MAILVET_KEY });
  expect({ stderr, lines: stdout.trimEnd().split('\n') }).toEqual({
    stderr: '',
    lines: ['valid allow', '2 of 2', 'valid@example.com valid', 'invalid@example.com invalid'],
  });
});

it('the client calls itself by the version of its package', () => {
  const manifest = readFileSync(resolve(__dirname, '../../clients/typescript/package.json'), 'utf8');
  expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION);
});
