import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ask, BillingBench, single } from './billing-api.js';

const EVENT = { verdict: 'valid', action: 'allow', reasons: [], degraded: false, source: 'remote' };
const JOB = { emails: ['ada@company.example'] };

let bench: BillingBench;
let api: NestFastifyApplication;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi();
});
afterAll(() => bench.close());

describe('the names of ignored fields are returned', () => {
  it.each<[string, number, object, string]>([
    ['of an event', 202, { events: [{ ...EVENT, moed: 1 }] }, 'events[0].moed'],
    [
      'once, where each stands first',
      202,
      { events: [EVENT, { ...EVENT, b: 1 }, { ...EVENT, b: 1, a: 1 }] },
      'events[1].b, events[2].a',
    ],
    ['of an event that is refused', 422, { events: [{ verdcit: 'valid' }, 'x', null, [1]] }, 'events[0].verdcit'],
    ['behind those of the report', 202, { events: [{ ...EVENT, moed: 1 }], more: 1 }, 'more, events[0].moed'],
    [
      'ten of them',
      202,
      { events: [{ ...EVENT, ...Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`f${i}`, 1])) }] },
      Array.from({ length: 10 }, (_, i) => `events[0].f${i}`).join(', '),
    ],
  ])('of guard events, %s', async (_, status, report, names) => {
    const caller = await bench.newCaller('free-0');
    for (const padding of ['', ' '.repeat(100_000)]) {
      const payload = `${JSON.stringify(report)}${padding}`;
      const answer = await ask(api, caller.live, { url: '/v1/guard/events', payload });
      expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([status, names]);
    }
  });

  it.each<[string, number, string, Record<string, unknown>]>([
    ['a single call', 200, '/v1/verify/single', { email: 'ada@company.example', moed: 'quick' }],
    ['a batch', 200, '/v1/verify/batch', { emails: ['ada@company.example'], moed: 'quick' }],
    ['a job', 202, '/v1/verify/jobs', { emails: ['ada@company.example'], moed: 'enhanced' }],
    ['guard events', 422, '/v1/guard/events', { events: [{}], moed: 1 }],
    ['credits', 200, '/v1/credits', { moed: 1 }],
    ['a refusal', 422, '/v1/verify/single', { moed: 'quick' }],
  ])('of %s, with a live key and with a test key', async (_, status, url, fields) => {
    const caller = await bench.newCaller('free-0', { purchased: 9 });
    for (const key of [caller.live, caller.test]) {
      for (const more of [{}, { more: 'x'.repeat(50_000) }]) {
        const answer = await ask(api, key, { url, payload: JSON.stringify({ ...fields, ...more }) });
        const names = ['moed', ...Object.keys(more)].join(', ');
        expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([status, names]);
      }
    }
    const { headers } = await ask(api, caller.live, { payload: single('ada@company.example') });
    expect(headers).not.toHaveProperty('x-ignored-fields');
  });

  it.each<[string, 'GET' | 'POST', string, object | undefined, string | undefined]>([
    [
      'settings of a job that JSON brings',
      'POST',
      '/v1/verify/jobs?mode=enhanced&name=a',
      JOB,
      'query.mode, query.name',
    ],
    ['beside a field', 'POST', '/v1/verify/jobs?mode=quick', { ...JOB, moed: 1 }, 'query.mode, moed'],
    ['of a single call', 'POST', '/v1/verify/single?mode=quick', { email: 'ada@company.example' }, 'query.mode'],
    ['of a batch', 'POST', '/v1/verify/batch?async=1', { emails: ['ada@company.example'] }, 'query.async'],
    ['of credits', 'GET', '/v1/credits?month=1', undefined, 'query.month'],
    ['of a list of jobs', 'GET', '/v1/verify/jobs?limit=1&limt=2', undefined, 'query.limt'],
    ['none of a list of jobs', 'GET', '/v1/verify/jobs?limit=1', undefined, undefined],
  ])('of the query: %s', async (_, method, url, fields, names) => {
    const caller = await bench.newCaller('free-0', { purchased: 9 });
    for (const key of [caller.live, caller.test]) {
      const answer = await ask(api, key, { method, url, ...(fields && { payload: JSON.stringify(fields) }) });
      expect([answer.status < 300, answer.headers['x-ignored-fields']]).toEqual([true, names]);
    }
  });

  it('of the query of a job that CSV brings', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 9 });
    const url = '/v1/verify/jobs?mode=enhanced&name=a&column=1&header=false&moed=1&webhook=false';
    const headers = { 'content-type': 'text/csv' };
    const answer = await ask(api, caller.live, { url, payload: 'ada@company.example', headers });
    expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([202, 'query.moed, query.webhook']);
  });
});
