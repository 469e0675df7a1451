import { array, assert, asyncProperty, constant, constantFrom, integer, oneof, record } from 'fast-check';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Deadline } from '../../src/engine/deadline.js';
import type { PolitenessRequest, SessionsOutcome } from '../../src/engine/smtp/politeness.js';
import {
  throttleKeys,
  type PermitRequest,
  type ThrottleStore,
  type ThrottleAnswer,
} from '../../src/platform/politeness/throttle-store.js';
import { LocalThrottleStore } from '../../src/platform/politeness/local-throttle-store.js';
import { RedisThrottleStore } from '../../src/platform/politeness/redis-throttle-store.js';
import { RedisPoliteness } from '../../src/platform/politeness/redis-politeness.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { readyRedis } from '../support/ready-redis.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

const LIMITS = { maxConnections: 5, recipientsPerMinute: 60_000 };
const SERVED: SessionsOutcome = { kind: 'served', retryAfterSeconds: null };
const REFUSED: SessionsOutcome = { kind: 'session_refused', retryAfterSeconds: null };

interface Takes {
  readonly domain: string;
  readonly recipients: number;
  readonly leaseMs: number | null;
}
interface Backs {
  readonly back: number;
  readonly further: number;
  readonly outcome: SessionsOutcome;
}
interface Passes {
  readonly passMs: number;
}

let server: TestRedis;
const clients: Redis[] = [];
const deadlines: Deadline[] = [];
let groups = 0;

const connected = async (url = server.url): Promise<Redis> => {
  const redis = await readyRedis(url);
  clients.push(redis);
  return redis;
};
/** A process's politeness on a connection of its own. */
const politenessOf = (redis: Redis, limits = LIMITS) => new RedisPoliteness(redis, { limits, providerStrikes: 3 });
const newGroup = (): string => `domain:g${(groups += 1)}.example`;
const request = (group: string, deadlineMs = 20_000): PolitenessRequest => {
  const deadline = Deadline.after(deadlineMs);
  deadlines.push(deadline);
  return { group, provider: null, domain: 'example.com', egressId: 'direct/mx.example.net', recipients: 1, deadline };
};

beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await claimTestRedis();
});
afterEach(() => {
  for (const deadline of deadlines.splice(0)) deadline.release();
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server.release();
});

describe('politeness of several processes', () => {
  it('never exceeds the connection limit', async () => {
    const group = newGroup();
    const processes = [politenessOf(await connected()), politenessOf(await connected())];
    let open = 0;
    let most = 0;
    const visits = Array.from({ length: 200 }, async (_, index) => {
      const answer = await processes[index % 2]!.acquire(request(group));
      if (answer.kind !== 'granted') return answer.kind;
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 2));
      open -= 1;
      answer.release(SERVED);
      return answer.kind;
    });
    expect(new Set(await Promise.all(visits))).toEqual(new Set(['granted']));
    expect(most).toBe(LIMITS.maxConnections);
    expect(processes.map(({ state }) => state)).toMatchObject([
      { held: 0, waiting: 0 },
      { held: 0, waiting: 0 },
    ]);
  });

  it('shares one rate limit', async () => {
    const group = newGroup();
    const limits = { maxConnections: 100, recipientsPerMinute: 30 };
    const processes = [politenessOf(await connected(), limits), politenessOf(await connected(), limits)];
    const asked = Array.from({ length: 40 }, (_, index) => processes[index % 2]!.acquire(request(group, 1500)));
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    // Ten seconds' worth at once, then one every two seconds.
    expect(kinds.filter((kind) => kind === 'granted')).toHaveLength(5);
    expect(kinds.filter((kind) => kind === 'full')).toHaveLength(35);
  });

  it('shares refusals between processes', async () => {
    const group = newGroup();
    const [one, other] = [politenessOf(await connected()), politenessOf(await connected())];
    const answer = await one.acquire(request(group));
    if (answer.kind === 'granted') answer.release(REFUSED);
    const seen = async () => (await other.acquire(request(group))).kind === 'backed_off';
    expect(await waitUntil(seen, { ms: 60_000 })).toBe(true);
  });

  it('lets requesters take turns across processes', async () => {
    const group = newGroup();
    // One every half second, after twenty at once.
    const limits = { maxConnections: 100, recipientsPerMinute: 120 };
    const processes = await Promise.all(Array.from({ length: 4 }, async () => politenessOf(await connected(), limits)));
    const granted: string[] = [];
    const ask = async (of: number, requester: string, recipients = 1): Promise<void> => {
      const answer = await processes[of]!.acquire({ ...request(group, 30_000), requester, recipients });
      if (answer.kind !== 'granted') return;
      granted.push(requester);
      answer.release(SERVED);
    };
    await ask(0, 'many', 20);
    // Three processes full of them.
    for (let i = 0; i < 60; i += 1) void ask(i % 3, 'many');
    expect(await waitUntil(async () => granted.length > 1, { ms: 60_000 })).toBe(true);
    const before = granted.length;
    for (let times = 0; times < 4; times += 1) await ask(3, 'few');
    // At most one of the others before each of them, and one that was about to be asked about.
    expect(granted.slice(before).filter((requester) => requester === 'many').length).toBeLessThanOrEqual(5);
    for (const deadline of deadlines) deadline.cancel();
  });

  it('acquires with one command and releases with one', async () => {
    const redis = await connected();
    const politeness = politenessOf(redis);
    const sent = jest.spyOn(redis, 'sendCommand');
    const answer = await politeness.acquire(request(newGroup()));
    expect(sent).toHaveBeenCalledTimes(1);
    if (answer.kind === 'granted') answer.release(SERVED);
    expect(sent).toHaveBeenCalledTimes(2);
    sent.mockRestore();
  });

  it('leaves only keys that expire and contain no address', async () => {
    const redis = await connected();
    const answer = await politenessOf(redis).acquire(request(newGroup()));
    if (answer.kind === 'granted') answer.release(REFUSED);
    // On the same connection, and so after what was given back.
    const keys = await redis.keys('*');
    expect(keys.filter((key) => !/^mailvet:politeness:(?:\{pauses\}|\{[^{}@]+\}:[a-z:.]+)$/.test(key))).toEqual([]);
    const lives = await Promise.all(keys.map((key) => redis.pttl(key)));
    expect(Math.min(...lives)).toBeGreaterThan(0);
  });
});

describe('the Redis throttle store', () => {
  const claimOf = (group: string, over: Partial<PermitRequest> = {}): PermitRequest => ({
    keys: throttleKeys(group, 'direct/mx.example.net', 'example.com'),
    recipients: 1,
    limits: { ...LIMITS, maxConnections: 1 },
    leaseMs: 10_000,
    ...over,
  });
  const release = async (answer: ThrottleAnswer, outcome: SessionsOutcome, further = 0): Promise<void> => {
    if (answer.kind !== 'granted') throw new Error(`not granted: ${answer.kind}`);
    await answer.release(outcome, further);
  };

  it('frees the connection of a crashed holder', async () => {
    const group = newGroup();
    const redis = await connected();
    let now = 1_800_000_000_000;
    const dead = new RedisThrottleStore(redis, { now: () => now });
    const alive = new RedisThrottleStore(redis, { now: () => now });
    await dead.acquire(claimOf(group));
    now += 9999;
    expect(await alive.acquire(claimOf(group))).toEqual({ kind: 'wait', for: 'connections', waitMs: 1 });
    now += 1;
    expect((await alive.acquire(claimOf(group))).kind).toBe('granted');
  });

  it('uses the clock of Redis', async () => {
    const group = newGroup();
    const store = new RedisThrottleStore(await connected());
    await store.acquire(claimOf(group, { leaseMs: 1500 }));
    expect((await store.acquire(claimOf(group))).kind).toBe('wait');
    const freed = async () => (await store.acquire(claimOf(group))).kind === 'granted';
    expect(await waitUntil(freed, { ms: 60_000 })).toBe(true);
  });

  it('backs off for a growing time, and resets once answered', async () => {
    const permitRequest = claimOf(newGroup());
    let now = 1_800_000_000_000;
    const store = new RedisThrottleStore(await connected(), { now: () => now });
    const pauseAfter = async (outcome: SessionsOutcome): Promise<number> => {
      await release(await store.acquire(permitRequest), outcome);
      let minutes = 0;
      while ((await store.acquire(permitRequest)).kind === 'backed_off') {
        minutes += 1;
        now += 60_000;
      }
      now += 10_000;
      return minutes;
    };
    const pauses = [];
    for (let times = 0; times < 8; times += 1) pauses.push(await pauseAfter(REFUSED));
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(await pauseAfter(SERVED)).toBe(0);
    expect(await pauseAfter({ ...REFUSED, retryAfterSeconds: 300 })).toBe(5);
  });

  it('decides like the local store in every case', async () => {
    const redis = await connected();
    const outcome = record<SessionsOutcome>({
      kind: constantFrom('served', 'session_refused', 'recipient_refused', 'recipient_refused', 'no_answer'),
      retryAfterSeconds: constantFrom(null, null, null, 90, 100_000),
    });
    const takes = record({
      domain: constantFrom('a.example', 'b.example', 'c.example', 'd.example'),
      recipients: integer({ min: 1, max: 30 }),
      leaseMs: oneof(integer({ min: 1, max: 90_000 }), constant(null)),
    });
    const event = oneof(
      { weight: 4, arbitrary: takes },
      {
        weight: 4,
        arbitrary: record({ back: integer({ min: 0, max: 2 }), outcome, further: constantFrom(0, 0, 1, 9) }),
      },
      { weight: 1, arbitrary: record({ passMs: integer({ min: 0, max: 90_000 }) }) },
      { weight: 1, arbitrary: record({ passMs: integer({ min: 0, max: 4_000_000 }) }) },
    );
    const limits = record({
      maxConnections: integer({ min: 1, max: 5 }),
      recipientsPerMinute: integer({ min: 10, max: 3000 }),
    });
    const happenings = array(event, { minLength: 40, maxLength: 120 });
    let backedOff = 0;
    const agree = async (
      events: readonly (Takes | Backs | Passes)[],
      limit: PermitRequest['limits'],
      providerStrikes: number,
    ): Promise<void> => {
      const group = newGroup();
      let now = 1_800_000_000_000;
      const options = { providerStrikes, now: () => now };
      const ledgers: ThrottleStore[] = [new RedisThrottleStore(redis, options), new LocalThrottleStore(options)];
      const held: ThrottleAnswer[][] = [];
      for (const step of events) {
        if ('passMs' in step) {
          now += step.passMs;
        } else if ('back' in step) {
          const [pair] = held.splice(step.back, 1);
          for (const answer of pair ?? []) await release(answer, step.outcome, step.further);
        } else {
          const keys = throttleKeys(group, 'direct', step.domain);
          const answers: ThrottleAnswer[] = [];
          for (const store of ledgers) answers.push(await store.acquire({ ...step, keys, limits: limit }));
          const [shared, local] = answers.map((answer) => ({ ...answer, release: null }));
          expect(shared).toEqual(local);
          if (shared?.kind === 'granted') held.push(answers);
          if (shared?.kind === 'backed_off') backedOff += 1;
        }
      }
    };
    const strikes = constantFrom(2, 3, Infinity);
    await assert(asyncProperty(happenings, limits, strikes, agree), { numRuns: 150 });
    expect(backedOff).toBeGreaterThan(0);
  });
});

describe('without Redis', () => {
  let link: BreakableLink;
  beforeAll(async () => {
    const { hostname, port } = new URL(server.url);
    link = await breakableLink({ host: hostname, port: Number(port) });
  });
  afterAll(() => link.close());
  const url = (): string => {
    const through = new URL(server.url);
    through.port = String(link.port);
    return through.href;
  };

  it('applies the limits per process, returns to the shared ones, and fails no check', async () => {
    await link.restore();
    const politeness = politenessOf(await connected(url()));
    const group = newGroup();
    const warned = jest.spyOn(Logger.prototype, 'warn');
    const said = jest.spyOn(Logger.prototype, 'log');
    expect((await politeness.acquire(request(group))).kind).toBe('granted');
    expect(warned).not.toHaveBeenCalled();

    await link.cut();
    const alone = await Promise.all(Array.from({ length: 20 }, () => politeness.acquire(request(group, 1000))));
    expect(alone.filter(({ kind }) => kind === 'granted')).toHaveLength(LIMITS.maxConnections);
    expect(alone.filter(({ kind }) => kind === 'full')).toHaveLength(15);
    const lost = 'Redis does not keep the limits for mail hosts: each process applies its own';
    expect(warned).toHaveBeenCalledWith(expect.anything(), lost);

    await link.restore();
    const shared = async () => {
      const answer = await politeness.acquire(request(newGroup(), 300));
      if (answer.kind === 'granted') answer.release(SERVED);
      return said.mock.calls.flat().includes('limits for mail hosts are shared by all processes again');
    };
    expect(await waitUntil(shared, { ms: 60_000 })).toBe(true);
    jest.restoreAllMocks();
  });

  it('frees connections when Redis is back, if it did not confirm that they began or ended', async () => {
    await link.restore();
    const [politeness, others] = [politenessOf(await connected(url())), politenessOf(await connected())];
    const group = newGroup();
    const take = (from: RedisPoliteness) => from.acquire(request(group, 500));
    const held = await Promise.all(Array.from({ length: 4 }, () => politeness.acquire(request(group))));
    link.mute();
    // Redis grants the fifth, and the answer is lost.
    await politeness.acquire(request(group));
    await link.cut();
    for (const answer of held) if (answer.kind === 'granted') answer.release(SERVED);
    await link.restore();
    expect((await take(others)).kind).toBe('full');

    const areAllFree = async () => {
      await politeness.acquire(request(newGroup(), 300));
      const answers = await Promise.all(Array.from({ length: 5 }, () => take(others)));
      for (const answer of answers) if (answer.kind === 'granted') answer.release(SERVED);
      return answers.every(({ kind }) => kind === 'granted');
    };
    expect(await waitUntil(areAllFree, { ms: 15_000 })).toBe(true);
  });

  it('does not hang with a hanging Redis', async () => {
    await link.restore();
    const politeness = politenessOf(await connected(url()));
    link.silence();
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => politeness.acquire(request(newGroup()))));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['granted']));
    // The time limit of one command, once for all of them.
    expect(performance.now() - began).toBeLessThan(30_000);
    for (const answer of answers) if (answer.kind === 'granted') answer.release(SERVED);
  });
});
