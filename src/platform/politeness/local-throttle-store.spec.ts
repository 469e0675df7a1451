import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import { throttleKeys, type PermitRequest } from './throttle-store.js';
import { LocalThrottleStore } from './local-throttle-store.js';

const served: SessionsOutcome = { kind: 'served', retryAfterSeconds: null };
const refused: SessionsOutcome = { kind: 'session_refused', retryAfterSeconds: null };
const request = (over: Partial<PermitRequest> = {}): PermitRequest => ({
  keys: throttleKeys('domain:example.net', 'direct', 'example.com'),
  recipients: 1,
  limits: { maxConnections: 2, recipientsPerMinute: 600 },
  leaseMs: 1000,
  ...over,
});

describe('LocalThrottleStore', () => {
  let now = 0;
  const storeOf = (maxEntries = 100) => new LocalThrottleStore({ maxEntries, now: () => now });
  beforeEach(() => {
    now = 5000;
  });

  it('grants up to the limit, and again after a release', async () => {
    const store = storeOf();
    const first = await store.acquire(request());
    expect([first.kind, (await store.acquire(request())).kind]).toEqual(['granted', 'granted']);
    expect(await store.acquire(request())).toEqual({ kind: 'wait', for: 'connections', waitMs: 1000 });
    if (first.kind === 'granted') await first.release(served);
    expect((await store.acquire(request())).kind).toBe('granted');
  });

  it('frees connections that were never released when their lease expires', async () => {
    const store = storeOf();
    await store.acquire(request());
    await store.acquire(request());
    now += 1000;
    expect((await store.acquire(request())).kind).toBe('granted');
  });

  it('lets later requests wait for recipients asked about beyond those requested', async () => {
    const limits = { maxConnections: 2, recipientsPerMinute: 60 };
    const store = storeOf();
    const answer = await store.acquire(request({ limits }));
    if (answer.kind === 'granted') await answer.release(served, 12);
    expect(await store.acquire(request({ limits }))).toEqual({ kind: 'wait', for: 'rate', waitMs: 4000 });
  });

  it('keeps groups, egresses and domains separate', async () => {
    const store = storeOf();
    const answer = await store.acquire(request());
    if (answer.kind === 'granted') await answer.release(refused);
    const kinds = await Promise.all(
      [
        throttleKeys('domain:example.net', 'direct', 'example.com'),
        throttleKeys('domain:example.net', 'direct', 'example.org'),
        throttleKeys('domain:example.net', 'proxy', 'example.com'),
        throttleKeys('domain:example.edu', 'direct', 'example.com'),
      ].map(async (keys) => (await store.acquire(request({ keys }))).kind),
    );
    expect(kinds).toEqual(['backed_off', 'granted', 'granted', 'granted']);
  });

  it('remembers a bounded number of groups, the most recent ones', async () => {
    const store = storeOf(3);
    const keysOf = (index: number) => throttleKeys(`domain:d${index}.example`, 'direct', 'example.com');
    for (let index = 0; index < 10; index += 1) {
      const answer = await store.acquire(request({ keys: keysOf(index) }));
      if (answer.kind === 'granted') await answer.release(refused);
    }
    const kinds = await Promise.all(
      [0, 9].map(async (index) => (await store.acquire(request({ keys: keysOf(index) }))).kind),
    );
    expect(kinds).toEqual(['granted', 'backed_off']);
  });
});
