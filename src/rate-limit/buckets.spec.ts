import { Logger } from '@nestjs/common';
import { DeadlineMissed } from '../platform/scheduling/within-deadline.js';
import { Buckets } from './buckets.js';
import type { RedisBuckets } from './redis-buckets.js';
import type { TokenDecision } from './token-bucket.js';

const SHARED: TokenDecision = { allowed: true, limit: 60, remaining: 41, resetAt: 7, nextTokenInSeconds: 1 };

/** Buckets on the test's clock, over a Redis that answers as the test says. */
function setUp() {
  const clock = { now: 0 };
  const changes: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(({ err }) => void changes.push(String(err)));
  jest.spyOn(Logger.prototype, 'log').mockImplementation((message) => void changes.push(message));
  const state = { redis: (): Promise<TokenDecision> => Promise.resolve(SHARED), asked: 0 };
  const take = (): Promise<TokenDecision> => {
    state.asked++;
    return state.redis();
  };
  const buckets = new Buckets({ take } as unknown as RedisBuckets, () => clock.now);
  return { buckets, clock, changes, state };
}

const refuses = () => Promise.reject(new Error('Connection is closed.'));
const isSilent = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new DeadlineMissed('no answer')), 400);
  });

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Lets the deadline of what is asked pass. */
async function afterDeadline<T>(clock: { now: number }, asking: Promise<T>): Promise<T> {
  clock.now += 400;
  await jest.advanceTimersByTimeAsync(400);
  return asking;
}

describe('while Redis answers', () => {
  it('its answer counts', async () => {
    const { buckets, changes } = setUp();
    expect(await buckets.take('key', 'a', 60)).toBe(SHARED);
    expect(buckets.outageMs).toBeNull();
    expect(changes).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('while Redis refuses', () => {
  it('the process counts by itself, from a full bucket of the same size', async () => {
    const { buckets, state } = setUp();
    state.redis = refuses;
    const decisions = [
      await buckets.take('key', 'a', 2),
      await buckets.take('key', 'a', 2),
      await buckets.take('key', 'a', 2),
    ];
    expect(decisions.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expect((await buckets.take('key', 'b', 2)).allowed).toBe(true);
    expect((await buckets.take('address', 'a', 2)).allowed).toBe(true);
  });

  it('every request asks Redis again, since a refusal costs no time', async () => {
    const { buckets, state } = setUp();
    state.redis = refuses;
    for (let i = 0; i < 5; i++) await buckets.take('key', 'a', 60);
    expect(state.asked).toBe(5);
  });

  it('logs the outage once, measures it, and logs its end once', async () => {
    const { buckets, clock, changes, state } = setUp();
    clock.now = 1000;
    state.redis = refuses;
    await buckets.take('key', 'a', 60);
    clock.now = 31_000;
    await buckets.take('key', 'a', 60);
    expect(buckets.outageMs).toBe(30_000);
    state.redis = () => Promise.resolve(SHARED);
    expect(await buckets.take('key', 'a', 60)).toBe(SHARED);
    expect(buckets.outageMs).toBeNull();
    expect(changes).toEqual(['Error: Connection is closed.', 'rate limits are shared by all processes again']);
  });

  it('measures a second outage from its own start', async () => {
    const { buckets, clock, state } = setUp();
    state.redis = refuses;
    await buckets.take('key', 'a', 60);
    state.redis = () => Promise.resolve(SHARED);
    await buckets.take('key', 'a', 60);
    clock.now = 100_000;
    state.redis = refuses;
    await buckets.take('key', 'a', 60);
    clock.now = 100_010;
    expect(buckets.outageMs).toBe(10);
  });
});

describe('while Redis answers that it is full', () => {
  const full = (): Promise<never> =>
    Promise.reject(
      Object.assign(new Error("OOM command not allowed when used memory > 'maxmemory'."), { name: 'ReplyError' }),
    );

  it('the process counts by itself, and Redis does not count as down', async () => {
    const { buckets, clock, changes, state } = setUp();
    state.redis = full;
    for (let i = 0; i < 3; i++) {
      clock.now += 3_600_000;
      expect((await buckets.take('key', `${i}`, 1)).allowed).toBe(true);
      expect((await buckets.take('key', `${i}`, 1)).allowed).toBe(false);
    }
    expect(buckets.awayMs).toBeNull();
    expect(buckets.outageMs).toBe(7_200_000);
    expect(changes).toHaveLength(1);
  });

  it('counts Redis as down once it stops answering', async () => {
    const { buckets, clock, state } = setUp();
    state.redis = full;
    await buckets.take('key', 'a', 60);
    clock.now = 100_000;
    state.redis = refuses;
    await buckets.take('key', 'a', 60);
    clock.now = 100_010;
    expect([buckets.awayMs, buckets.outageMs]).toEqual([10, 100_010]);
    state.redis = full;
    await buckets.take('key', 'a', 60);
    expect(buckets.awayMs).toBeNull();
  });
});

describe('while Redis does not answer', () => {
  it('a request waits no longer than its deadline, and the outage starts with it', async () => {
    const { buckets, clock, state } = setUp();
    state.redis = isSilent;
    const decision = await afterDeadline(clock, buckets.take('key', 'a', 60));
    expect(decision).toMatchObject({ allowed: true, limit: 60, remaining: 59 });
    expect(buckets.outageMs).toBe(400);
  });

  it('no request waits for a while, then one at a time', async () => {
    const { buckets, clock, state } = setUp();
    state.redis = isSilent;
    await afterDeadline(clock, buckets.take('key', 'a', 60));
    clock.now += 499;
    expect(await buckets.take('key', 'a', 60)).toMatchObject({ remaining: 58 });
    expect(state.asked).toBe(1);
    clock.now += 1;
    const asking = buckets.take('key', 'a', 60);
    expect(await buckets.take('key', 'a', 60)).toMatchObject({ allowed: true });
    expect(state.asked).toBe(2);
    await afterDeadline(clock, asking);
  });

  it('the first answer ends the outage for all', async () => {
    const { buckets, clock, state } = setUp();
    state.redis = isSilent;
    await afterDeadline(clock, buckets.take('key', 'a', 60));
    clock.now += 500;
    state.redis = () => Promise.resolve(SHARED);
    expect(await buckets.take('key', 'a', 60)).toBe(SHARED);
    expect(await buckets.take('key', 'b', 60)).toBe(SHARED);
    expect(state.asked).toBe(3);
  });

  it('many concurrent requests see one outage, and none waits longer', async () => {
    const { buckets, clock, changes, state } = setUp();
    state.redis = isSilent;
    const asking = Array.from({ length: 50 }, () => buckets.take('key', 'a', 30));
    const decisions = await afterDeadline(clock, Promise.all(asking));
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(30);
    expect(changes).toHaveLength(1);
  });
});
