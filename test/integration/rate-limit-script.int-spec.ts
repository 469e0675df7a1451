import fc from 'fast-check';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisBuckets } from '../../src/rate-limit/redis-buckets.js';
import { takeToken, type Bucket } from '../../src/rate-limit/token-bucket.js';
import { TAKE_TOKEN } from '../../src/rate-limit/token-script.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';

/** How long Redis may take is not what is tried here, and it takes long on a busy machine. */
jest.mock('../../src/platform/scheduling/within-deadline.js', () => ({
  ...jest.requireActual<object>('../../src/platform/scheduling/within-deadline.js'),
  withinDeadline: (work: Promise<unknown>) => work,
}));

/** One take as the script answered it; `at` is the clock of Redis. */
interface Taken extends Bucket {
  readonly allowed: boolean;
}

let server: TestRedis;
let redis: Redis;
/** A second process. */
let other: Redis;

beforeAll(async () => {
  server = await claimTestRedis();
  redis = new Redis(server.url);
  other = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  other.disconnect();
  await server.release();
});

const newName = (): string => `test:{${randomUUID()}}`;

async function take(name: string, capacity: number, client = redis): Promise<Taken> {
  const [allowed, missing, at] = (await client.eval(TAKE_TOKEN, 1, name, capacity)) as [number, number, number];
  return { allowed: allowed === 1, missing, at };
}

/** What the arithmetic makes of requests at the moments at which Redis saw them. */
function predicted(taken: readonly Taken[], capacityOf: (index: number) => number): Taken[] {
  let state: Bucket | undefined;
  return taken.map(({ at }, index) => {
    const { allowed, bucket } = takeToken(state, at, capacityOf(index));
    state = bucket;
    return { allowed, ...bucket };
  });
}

const inOrder = (taken: readonly Taken[]): Taken[] =>
  taken.toSorted((a, b) => a.at - b.at || Number(b.allowed) - Number(a.allowed) || a.missing - b.missing);
const served = (taken: readonly Taken[]): number => taken.filter(({ allowed }) => allowed).length;

describe('the script', () => {
  it('matches the token bucket to the last digit, for any sizes and pauses', async () => {
    const capacities = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(60, 6000, 60_000, 4_294_967_295));
    const steps = fc.array(
      fc.record({
        capacity: capacities,
        times: fc.integer({ min: 1, max: 30 }),
        pauseMs: fc.integer({ min: 0, max: 8 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const name = newName();
        const taken: Taken[] = [];
        const asked: number[] = [];
        for (const { capacity, times, pauseMs } of plan) {
          taken.push(...(await Promise.all(Array.from({ length: times }, () => take(name, capacity)))));
          asked.push(...Array<number>(times).fill(capacity));
          await delay(pauseMs);
        }
        expect(taken).toEqual(predicted(taken, (index) => asked[index]!));
      }),
      { numRuns: 60 },
    );
  });

  it('matches it from any state of a bucket, also one written by a clock ahead', async () => {
    const states = fc.record({
      capacity: fc.integer({ min: 1, max: 10_000 }),
      missing: fc.integer({ min: 0, max: 10_000 * 60_000 }),
      agoMs: fc.integer({ min: -3_600_000, max: 120_000 }),
    });
    await fc.assert(
      fc.asyncProperty(states, async ({ capacity, missing, agoMs }) => {
        const name = newName();
        const at = Date.now() - agoMs;
        await redis.set(name, `${missing} ${at}`, 'PX', 10_000);
        const first = await take(name, capacity);
        const expected = takeToken({ missing, at }, first.at, capacity);
        expect(first).toEqual({ allowed: expected.allowed, ...expected.bucket });
      }),
      { numRuns: 200 },
    );
  });

  it('leaves one small value per bucket, under a name without a secret, which expires when the bucket is full', async () => {
    await new RedisBuckets(redis).take('key:0198c0de', 60);
    const name = 'mailvet:rate:{key:0198c0de}';
    expect(await redis.keys('mailvet:rate:*')).toEqual([name]);
    const [bucket, time, left] = (await redis.multi().get(name).time().pttl(name).exec())!.map(([, answer]) => answer);
    expect(bucket).toMatch(/^60000 \d{13}$/);
    const [seconds, microseconds] = time as [number, number];
    const livesMs = seconds * 1000 + microseconds / 1000 + Number(left) - Number(String(bucket).split(' ')[1]);
    // An empty bucket is full after a minute.
    expect(livesMs).toBeGreaterThan(60_000);
    expect(livesMs).toBeLessThanOrEqual(61_100);
  });
});

describe('traffic', () => {
  /** `perTick` requests at once every `tickMs` through both processes, as Redis saw them, up to the last it refused. */
  async function traffic(capacity: number, plan: { ticks: number; tickMs: number; perTick: number }): Promise<Taken[]> {
    const name = newName();
    const answers: Promise<Taken>[] = [];
    for (let tick = 0; tick < plan.ticks; tick++) {
      for (let i = 0; i < plan.perTick; i++) answers.push(take(name, capacity, i % 2 === 0 ? redis : other));
      await delay(plan.tickMs);
    }
    const taken = inOrder(await Promise.all(answers));
    expect(taken.map(({ allowed }) => allowed)).toEqual(predicted(taken, () => capacity).map(({ allowed }) => allowed));
    return taken.slice(0, taken.findLastIndex(({ allowed }) => !allowed) + 1);
  }

  it.each([
    ['sustained above the rate', 300, { ticks: 300, tickMs: 5, perTick: 4 }],
    ['in bursts', 600, { ticks: 6, tickMs: 500, perTick: 250 }],
    ['one burst of twice the bucket', 1200, { ticks: 1, tickMs: 0, perTick: 2400 }],
  ])('%s gets a full bucket plus the refill, within one token', async (_, capacity, plan) => {
    const taken = await traffic(capacity, plan);
    const flowedIn = ((taken.at(-1)!.at - taken[0]!.at) * capacity) / 60_000;
    expect(served(taken)).toBeLessThan(taken.length);
    expect(Math.abs(served(taken) - (capacity + flowedIn))).toBeLessThanOrEqual(1);
  });

  it('of 1,000 concurrent requests from two processes shares one bucket', async () => {
    const name = newName();
    const clients = [new RedisBuckets(redis), new RedisBuckets(other)];
    const began = performance.now();
    const decisions = await Promise.all(Array.from({ length: 1000 }, (_, i) => clients[i % 2]!.take(name, 60)));
    const flowedIn = (performance.now() - began) / 1000;
    const allowed = decisions.filter((decision) => decision.allowed);
    expect(allowed.length).toBeGreaterThanOrEqual(60);
    expect(allowed.length).toBeLessThanOrEqual(60 + Math.ceil(flowedIn));
    for (const decision of decisions) expect(decision).toMatchObject({ limit: 60 });
  });

  it('continues after the server has lost the script', async () => {
    const buckets = new RedisBuckets(redis);
    await buckets.take(newName(), 60);
    await redis.script('FLUSH');
    expect(await buckets.take(newName(), 60)).toMatchObject({ allowed: true, remaining: 59 });
  });
});
