import { Logger } from '@nestjs/common';
import { RedisFailover } from './redis-failover.js';

const DOWN = new Error('Connection is closed.');
const FULL = Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' });
const ELECTING = Object.assign(new Error('CLUSTERDOWN The cluster is down'), { name: 'ReplyError' });

/** A failover on the test's clock, over a Redis that answers as the test says. */
function setUp(pausesAfter?: (error: unknown) => boolean) {
  const clock = { now: 0 };
  const changes: unknown[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(({ err }, message) => void changes.push(err, message));
  jest.spyOn(Logger.prototype, 'log').mockImplementation((message) => void changes.push(message));
  const redis = { answer: (): Promise<string> => Promise.resolve('shared'), asked: 0 };
  const failover = new RedisFailover({
    name: 'Test',
    lost: 'each process by itself',
    back: 'all together',
    retryMs: 500,
    ...(pausesAfter && { pausesAfter }),
    now: () => clock.now,
  });
  const ask = (): Promise<string> =>
    failover.ask(
      () => {
        redis.asked += 1;
        return redis.answer();
      },
      () => 'local',
    );
  return { failover, ask, clock, changes, redis };
}
afterEach(() => jest.restoreAllMocks());

describe('RedisFailover', () => {
  it('gives the answer of Redis while it serves', async () => {
    const { ask, failover, changes } = setUp();
    expect(await ask()).toBe('shared');
    expect([failover.isShared, failover.outageMs, failover.awayMs, changes]).toEqual([true, null, null, []]);
  });

  it('falls back while Redis fails, and logs the beginning and the end once each', async () => {
    const { ask, failover, changes, clock, redis } = setUp();
    redis.answer = () => Promise.reject(DOWN);
    expect([await ask(), await ask()]).toEqual(['local', 'local']);
    clock.now = 500;
    await ask();
    expect([failover.isShared, failover.outageMs]).toEqual([false, 500]);
    clock.now = 1000;
    redis.answer = () => Promise.resolve('shared');
    expect(await ask()).toBe('shared');
    expect(failover.outageMs).toBeNull();
    expect(changes).toEqual([DOWN, 'each process by itself', 'all together']);
  });

  it('does not ask for a while after a failure, and then with one request at a time', async () => {
    const { ask, clock, redis } = setUp();
    redis.answer = () => Promise.reject(DOWN);
    await ask();
    clock.now = 499;
    await ask();
    expect(redis.asked).toBe(1);
    clock.now = 500;
    let fail = (_error: Error): void => undefined;
    redis.answer = () => new Promise((_, reject) => (fail = reject));
    const trial = ask();
    clock.now = 10_000;
    expect([await ask(), redis.asked]).toEqual(['local', 2]);
    fail(DOWN);
    expect(await trial).toBe('local');
    clock.now = 10_500;
    redis.answer = () => Promise.resolve('shared');
    expect(await ask()).toBe('shared');
  });

  it('asks again at once after a failure that cost no waiting', async () => {
    const { ask, redis } = setUp((error) => error !== DOWN);
    redis.answer = () => Promise.reject(DOWN);
    for (let i = 0; i < 5; i++) await ask();
    expect(redis.asked).toBe(5);
  });

  it('tells a Redis that refuses from one that is away', async () => {
    const { ask, failover, clock, redis } = setUp(() => false);
    redis.answer = () => Promise.reject(FULL);
    await ask();
    clock.now = 100;
    expect([failover.outageMs, failover.awayMs]).toEqual([100, null]);
    redis.answer = () => Promise.reject(DOWN);
    await ask();
    clock.now = 110;
    expect([failover.outageMs, failover.awayMs]).toEqual([110, 10]);
  });

  it('counts an election as a Redis that is away', async () => {
    const { ask, failover, clock, redis } = setUp(() => false);
    redis.answer = () => Promise.reject(ELECTING);
    await ask();
    clock.now = 100;
    await ask();
    expect(failover.awayMs).toBe(100);
  });

  it('learns from a request that was made in spite of the outage', async () => {
    const { ask, failover, redis } = setUp();
    redis.answer = () => Promise.reject(DOWN);
    await ask();
    expect(await failover.watch(Promise.reject(DOWN), () => 'local')).toBe('local');
    expect(await failover.watch(Promise.resolve('shared'), () => 'local')).toBe('shared');
    expect(failover.isShared).toBe(true);
  });
});
