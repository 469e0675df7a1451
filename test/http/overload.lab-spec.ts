import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { EventLoopLag } from '../../src/platform/http/load/event-loop-lag.js';
import { Overload } from '../../src/platform/http/load/overload.js';
import { holdUp } from '../support/hold-up.js';
import { waitUntil } from '../support/wait-until.js';

let server: Server;
let overload: Overload;
/** Answers that wait. */
let waiting: ServerResponse[];

/** A server whose requests are answered by the test. */
async function serve(refusing: Overload, answer: (response: ServerResponse) => void, watched = false): Promise<void> {
  overload = refusing;
  waiting = [];
  server = createServer(overload.before((_request, response) => answer(response)));
  if (watched) overload.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (path = '/v1/verify/single', init?: RequestInit): Promise<Response> =>
  fetch(`http://127.0.0.1:${(server.address() as { port: number }).port}${path}`, init);
const LATE = { maxRequests: 1000, lateMs: 500, fineMs: 200 };

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Of ten requests, those that are refused. */
async function refusedOfTen(): Promise<number> {
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
  return answers.filter(({ status }) => status === 503).length;
}

describe('an overloaded process', () => {
  it('limits concurrent requests, refuses others first, and never health probes', async () => {
    await serve(new Overload(undefined, { ...LATE, maxRequests: 2 }), (response) => waiting.push(response));
    const served = [ask(), ask()];
    await until(() => waiting.length === 2);
    const refused = await ask('/v1/nothing', { headers: { 'x-request-id': 'order-17', 'x-api-key': 'none' } });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toEqual({ error: { code: 'service_unavailable', message: expect.any(String) } });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '2',
      'x-request-id': 'order-17',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
    });
    expect([...refused.headers.keys()].filter((name) => /ratelimit|credits|sandbox/.test(name))).toEqual([]);
    for (const probe of ['live', 'ready', 'startup']) served.push(ask(`/health/${probe}`));
    await until(() => waiting.length === 5);
    for (const response of waiting) response.end('{}');
    for (const answer of served) expect((await answer).status).toBe(200);
    await until(() => overload.requests === 0);
    expect(overload.refused).toEqual({ lag: 0, requests: 1 });
  });

  it('refuses a growing share while its event loop is late, and a shrinking share afterwards', async () => {
    const changes: boolean[] = [];
    await serve(new Overload((isOverloaded) => changes.push(isOverloaded), LATE), (response) => response.end('{}'));
    const look = (lateMs: number, times: number): void => {
      for (let i = 0; i < times; i++) {
        overload.lag.record(lateMs);
        overload.adjust();
      }
    };
    // One turn of two seconds is none of a process that has too much to do.
    look(2000, 1);
    look(0, 10);
    expect([changes, await refusedOfTen()]).toEqual([[], 0]);
    look(1000, 8);
    const some = await refusedOfTen();
    look(1000, 20);
    const most = await refusedOfTen();
    expect([some >= 3, most >= 9, changes]).toEqual([true, true, [true]]);
    // As late as it may be, without more or less of it: nothing swings.
    look(350, 100);
    expect(await refusedOfTen()).toBeGreaterThanOrEqual(9);
    look(0, 60);
    expect([await refusedOfTen(), changes]).toEqual([0, [true, false]]);
  });

  it('detects that it is late, and that it has recovered', async () => {
    let busyMs = 60;
    const work = (response: ServerResponse): void => {
      holdUp(busyMs);
      response.end('{}');
    };
    await serve(new Overload(undefined, { ...LATE, lateMs: 40, fineMs: 20 }), work, true);
    while ((await refusedOfTen()) === 0);
    busyMs = 0;
    // With pauses: on a busy machine requests without one are enough to keep the process late.
    const serves = async (): Promise<boolean> => (await refusedOfTen()) === 0;
    expect(await waitUntil(serves, { ms: 200_000, everyMs: 100 })).toBe(true);
    expect(overload.refused.lag).toBeGreaterThan(0);
  });

  it('measures lateness as an average', () => {
    const lag = new EventLoopLag();
    lag.record(-5);
    expect(lag.ms).toBe(0);
    for (let i = 0; i < 50; i++) lag.record(300);
    expect(lag.ms).toBeCloseTo(300, 0);
  });
});
