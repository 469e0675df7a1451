import { Logger } from '@nestjs/common';
import { RedisFailover } from '../../platform/redis/redis-failover.js';
import type { Leases, AcquireRequest } from './leases.js';
import { WatchedLeases } from './watched-leases.js';

const request: AcquireRequest = { hash: 'a', token: 't', last: null };
const completion = { hash: 'a', token: 't', depth: 'standard', stored: true } as const;
const taken = { taken: true, at: 1, until: 2, completed: null };

describe('WatchedLeases', () => {
  const broken = new Error('no Redis');
  let now = 0;
  let asked = 0;
  let book: () => Promise<unknown> = () => Promise.resolve(taken);
  const changes: unknown[] = [];
  const build = (): WatchedLeases => {
    now = 0;
    asked = 0;
    changes.length = 0;
    book = () => Promise.resolve(taken);
    const ask = <T>(): Promise<T> => {
      asked += 1;
      return book() as Promise<T>;
    };
    const leases: Leases = { acquire: ask, renew: ask, complete: ask, stageOf: ask };
    const failover = new RedisFailover({ name: 'Test', lost: 'lost', back: 'back', retryMs: 250, now: () => now });
    return new WatchedLeases(leases, failover);
  };
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(({ err }) => void changes.push(err));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((message) => void changes.push(message));
  });
  afterEach(() => jest.restoreAllMocks());
  const lose = (): void => {
    book = () => Promise.reject(broken);
  };

  it('answer like the lease store', async () => {
    expect(await build().acquire(request)).toEqual(taken);
    expect(changes).toEqual([]);
  });

  it('never reject, and report a lost lease store once', async () => {
    const leases = build();
    lose();
    expect(await leases.acquire(request)).toBeNull();
    await leases.renew('a', 't', 'greeting');
    expect(await leases.stageOf('a')).toBeNull();
    await leases.complete(completion);
    expect(changes).toEqual([broken]);
    expect(leases.isShared).toBe(false);
  });

  it('skip a lost lease store for a while, then try it once, and return to it', async () => {
    const leases = build();
    lose();
    for (let times = 0; times < 10; times += 1) await leases.acquire(request);
    expect(asked).toBe(1);

    now = 250;
    let answer: (said: unknown) => void = () => undefined;
    book = () => new Promise((resolve) => (answer = resolve));
    const trial = leases.acquire(request);
    expect(await leases.acquire(request)).toBeNull();
    expect(asked).toBe(2);
    answer(taken);
    expect(await trial).toEqual(taken);
    expect(leases.isShared).toBe(true);
    expect(changes).toEqual([broken, 'back']);
  });

  it('report a completion to a lost lease store without waiting', async () => {
    const leases = build();
    lose();
    await leases.acquire(request);
    book = () => new Promise(() => undefined);
    await leases.complete(completion);
    expect(asked).toBe(2);
  });
});
