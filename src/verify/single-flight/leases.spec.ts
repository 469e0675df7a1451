import { Logger } from '@nestjs/common';
import { leasesOver } from '../../../test/factories/leases-over.js';
import type { AcquireRequest, Leases } from './leases.js';

const request: AcquireRequest = { hash: 'a', token: 't', last: null };
const completion = { hash: 'a', token: 't', depth: 'standard', stored: true } as const;
const taken = { taken: true, at: 1, until: 2, completed: null };

describe('Leases', () => {
  const broken = new Error('no Redis');
  let now = 0;
  let asked = 0;
  let book: () => Promise<unknown> = () => Promise.resolve(taken);
  const changes: unknown[] = [];
  const build = (): Leases => {
    now = 0;
    asked = 0;
    changes.length = 0;
    book = () => Promise.resolve(taken);
    const ask = <T>(): Promise<T> => {
      asked += 1;
      return book() as Promise<T>;
    };
    return leasesOver({ acquire: ask, renew: ask, complete: ask, stageOf: ask });
  };
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(({ err }) => void changes.push(err));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((message) => void changes.push(message));
  });
  afterEach(() => jest.restoreAllMocks());
  const lose = (): void => {
    book = () => Promise.reject(broken);
  };

  it('answer like Redis', async () => {
    expect(await build().acquire(request)).toEqual(taken);
    expect(changes).toEqual([]);
  });

  it('never reject, and report a lost Redis once', async () => {
    const leases = build();
    lose();
    expect(await leases.acquire(request)).toBeNull();
    await leases.renew('a', 't', 'greeting');
    expect(await leases.stageOf('a')).toBeNull();
    await leases.complete(completion);
    expect(changes).toEqual([broken]);
    expect(leases.isShared).toBe(false);
  });

  it('skip a lost Redis for a while, then try it once, and return to it', async () => {
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
    expect(changes).toEqual([broken, 'single-flight works across all processes again']);
  });

  it('report a completion to a lost Redis without waiting', async () => {
    const leases = build();
    lose();
    await leases.acquire(request);
    book = () => new Promise(() => undefined);
    await leases.complete(completion);
    expect(asked).toBe(2);
  });
});
