import { Agent, get } from 'node:http';
import { waitUntil } from '../support/wait-until.js';
import { KEY, startTestApi, type TestApi } from './test-api.js';

let api: TestApi;
const agent = new Agent({ maxSockets: Infinity });
beforeAll(async () => {
  api = await startTestApi({ limits: { requests: 40 } });
});
afterAll(async () => {
  agent.destroy();
  await api?.app.close();
});

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
}

function ask(account: string, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': KEY, 'x-account': account };
    const asked = get({ host: '127.0.0.1', port: api.port(), path, headers, agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode, retryAfter: answer.headers['retry-after'] }));
    });
    asked.on('error', reject);
  });
}

it('slow requests of an account are refused in time to answer those of another', async () => {
  const all = 35;
  const slow = Array.from({ length: all }, (_, i) => ask('many', `/v1/slow/${i}`));
  const answered: Answer[] = [];
  for (const each of slow) void each.then((answer) => answered.push(answer));
  expect(await waitUntil(async () => api.waiting() + answered.length === all, { ms: 20_000 })).toBe(true);
  expect(await ask('few', '/v1/jobs/1')).toEqual({ status: 200, retryAfter: undefined });
  expect(await ask('many', '/v1/jobs/1')).toEqual({ status: 429, retryAfter: '2' });
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([429]));
  expect(api.waiting()).toBe(30);

  api.release();
  expect((await Promise.all(slow)).filter(({ status }) => status === 200)).toHaveLength(30);
  expect(await ask('many', '/v1/jobs/1')).toEqual({ status: 200, retryAfter: undefined });
});

it('requests below /health, which are never refused, are counted no longer than others', async () => {
  for (let i = 0; i < 70; i += 1) {
    for (const path of ['/health/nothing', '/health/%zz']) expect((await ask('lost', path)).status).toBe(404);
  }
  expect(await ask('lost', '/v1/jobs/1')).toEqual({ status: 200, retryAfter: undefined });
});
