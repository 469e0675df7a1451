import { Logger } from '@nestjs/common';
import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import { FailoverThrottleStore } from './failover-throttle-store.js';
import { throttleKeys, type PermitRequest, type ThrottleStore, type ThrottleAnswer } from './throttle-store.js';
import { LocalThrottleStore } from './local-throttle-store.js';

const request: PermitRequest = {
  keys: throttleKeys('domain:example.net', 'direct', 'example.com'),
  recipients: 1,
  limits: { maxConnections: 1, recipientsPerMinute: 600 },
  leaseMs: 10_000,
};
const refused: SessionsOutcome = { kind: 'session_refused', retryAfterSeconds: null };

describe('FailoverThrottleStore', () => {
  let now = 0;
  let down = false;
  let asked = 0;
  const changes: unknown[] = [];
  const broken = new Error('no Redis');
  const release = (): Promise<void> => (down ? Promise.reject(broken) : Promise.resolve());
  const shared: ThrottleStore = {
    acquire: () => {
      asked += 1;
      return down ? Promise.reject(broken) : Promise.resolve<ThrottleAnswer>({ kind: 'granted', release });
    },
  };
  const build = () => {
    now = 0;
    down = false;
    asked = 0;
    changes.length = 0;
    return new FailoverThrottleStore(shared, new LocalThrottleStore({ now: () => now }), () => now);
  };

  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(({ err }) => void changes.push(err));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((message) => void changes.push(message));
  });
  afterEach(() => jest.restoreAllMocks());

  it('uses the local store while the shared one fails, and logs that once', async () => {
    const store = build();
    down = true;
    expect((await store.acquire(request)).kind).toBe('granted');
    expect(await store.acquire(request)).toMatchObject({ kind: 'wait', for: 'connections' });
    expect(changes).toEqual([broken]);
  });

  it('does not wait for a hanging store at every check, and returns to it', async () => {
    const store = build();
    down = true;
    for (let times = 0; times < 10; times += 1) await store.acquire(request);
    expect(asked).toBe(1);
    down = false;
    now += 2000;
    expect((await store.acquire(request)).kind).toBe('granted');
    expect(changes).toEqual([broken, 'limits for mail hosts are shared by all processes again']);
  });

  it('records a refusal that the shared store did not accept', async () => {
    const store = build();
    const answer = await store.acquire(request);
    down = true;
    if (answer.kind === 'granted') await answer.release(refused);
    expect(await store.acquire(request)).toEqual({ kind: 'backed_off' });
  });
});
