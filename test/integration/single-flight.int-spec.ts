import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { Deadline } from '../../src/engine/deadline.js';
import type { SmtpStage } from '../../src/engine/smtp/reply.js';
import { SingleFlight } from '../../src/verify/single-flight/single-flight.js';
import { Leases } from '../../src/verify/single-flight/leases.js';
import { waitUntil } from '../support/wait-until.js';
import {
  asked,
  NEVER_RENEWS,
  QUIET,
  connected,
  join,
  kinds,
  leaseOf,
  leading,
  listeners,
  newHash,
  newProcess,
  nobodyWaits,
  processOn,
  sends,
  useFlights,
} from './single-flight-support.js';

useFlights();

describe('concurrent checks of one address', () => {
  it('have one leader of 200 in two processes, and all others share its result', async () => {
    const processes = [await newProcess(), await newProcess()];
    const hash = newHash();
    const flights = Array.from({ length: 200 }, (_, index) => join(processes[index % 2]!, hash));
    const lead = await leading(Promise.race(flights));
    await Promise.all(processes.map(asked));
    await lead.complete(true);
    const ends = await kinds(...flights);
    expect(ends.filter((kind) => kind === 'leader')).toHaveLength(1);
    expect(ends.filter((kind) => kind === 'completed')).toHaveLength(199);
    for (const { state } of processes) expect(state).toEqual({ ...QUIET, shared: true });
  });

  it('cost one command to acquire and one to complete without contention', async () => {
    const redis = await connected();
    const flights = processOn(redis);
    const sent = jest.spyOn(redis, 'sendCommand');
    const lead = await leading(join(flights, newHash()));
    expect(sent).toHaveBeenCalledTimes(1);
    await lead.complete(true);
    await lead.complete(false);
    expect(sent).toHaveBeenCalledTimes(2);
    sent.mockRestore();
  });

  it('ask Redis once for all waiters of a process', async () => {
    const redis = await connected();
    const [holder, waiting] = [await newProcess(), processOn(redis, { pollMs: 600_000 })];
    const hash = newHash();
    const lead = await leading(join(holder, hash));
    const sent = jest.spyOn(redis, 'sendCommand');
    const flights = Array.from({ length: 100 }, () => join(waiting, hash));
    expect(await waitUntil(async () => (await listeners(redis)) === 1, { ms: 60_000 })).toBe(true);
    await lead.complete(true);
    expect(new Set(await kinds(...flights))).toEqual(new Set(['completed']));
    // Once, and once more when it began to listen; then it may have been given the lease, and gave it back.
    const looks = sent.mock.calls.filter(([{ name }]) => name.startsWith('eval'));
    expect(looks.length).toBeLessThanOrEqual(3);
    sent.mockRestore();
  });

  it('lead one after the other if there is no result to share', async () => {
    const processes = [await newProcess(), await newProcess()];
    const hash = newHash();
    let holding = 0;
    const leads = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const flight = await leading(join(processes[index % 2]!, hash));
        holding += 1;
        expect(holding).toBe(1);
        await delay(1);
        holding -= 1;
        await flight.complete(false);
        return flight;
      }),
    );
    expect(leads).toHaveLength(10);
  });

  it('report that a result may have been stored since the cache was read', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const hash = newHash();
    const first = await leading(join(one, hash));
    expect(first.recheck).toBe(false);
    await first.complete(true);
    expect((await leading(join(other, hash))).recheck).toBe(true);
  });
});

describe('depth', () => {
  it('lets an enhanced check serve standard waiters', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const hash = newHash();
    const lead = await leading(join(one, hash, 'enhanced'));
    const waiting = [join(one, hash), join(other, hash), join(other, hash, 'enhanced')];
    await asked(other);
    await lead.complete(true);
    expect(await kinds(...waiting)).toEqual(['completed', 'completed', 'completed']);
  });

  it('lets a deeper waiter wait for the holder, and then lead', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const hash = newHash();
    const lead = await leading(join(one, hash));
    const waiting = [join(one, hash), join(other, hash)];
    const deeper = [join(one, hash, 'enhanced'), join(other, hash, 'enhanced')];
    await asked(other);
    await lead.complete(true);
    expect(await kinds(...waiting)).toEqual(['completed', 'completed']);
    const next = await leading(Promise.race(deeper));
    expect(next.recheck).toBe(true);
    await next.complete(true);
    expect((await kinds(...deeper)).toSorted()).toEqual(['completed', 'leader']);
  });

  it('lets the deepest waiter lead', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const hash = newHash();
    const lead = await leading(join(one, hash));
    const waiting = [join(other, hash), join(other, hash), join(other, hash, 'enhanced')];
    await asked(other);
    await lead.complete(false);
    await (await leading(waiting[2]!)).complete(true);
    expect(await kinds(...waiting)).toEqual(['completed', 'completed', 'leader']);
  });
});

describe('deadline', () => {
  it('ends a wait and leaves no waiter behind', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const hash = newHash();
    const lead = await leading(join(one, hash));
    expect(await kinds(join(one, hash, 'standard', 30), join(other, hash, 'standard', 30))).toEqual([
      'timed_out',
      'timed_out',
    ]);
    expect(await nobodyWaits(other)).toBe(true);
    await lead.complete(true);
    expect(one.state.addresses).toBe(0);
  });

  it('that has passed sends no command', async () => {
    const redis = await connected();
    const sent = jest.spyOn(redis, 'sendCommand');
    expect(await join(processOn(redis), newHash(), 'standard', 0)).toEqual({ kind: 'timed_out' });
    expect(sent).not.toHaveBeenCalled();
    sent.mockRestore();
  });

  it('that passes during the command leaves no lease', async () => {
    const redis = await connected();
    const flights = processOn(redis);
    const deadline = Deadline.after(10_000);
    const hash = newHash();
    const flight = flights.join(hash, 'standard', deadline);
    deadline.cancel();
    expect(await flight).toEqual({ kind: 'timed_out' });
    expect(await nobodyWaits(flights)).toBe(true);
    // On the same connection, and so after what was given back.
    expect(await redis.exists(leaseOf(hash))).toBe(0);
  });
});

describe('the stage of the check', () => {
  const hears = (flights: SingleFlight, hash: string, stage: SmtpStage | null): Promise<boolean | null> =>
    waitUntil(async () => (await flights.stageOf(hash)) === stage, { ms: 60_000, everyMs: 5 });

  it('is known in its own process at once, and in others with the next renewal, until it completes', async () => {
    const [one, other] = [await newProcess({ renewMs: 20 }), await newProcess()];
    const hash = newHash();
    expect(await one.stageOf(hash)).toBeNull();
    const lead = await leading(join(one, hash));
    expect([await one.stageOf(hash), await other.stageOf(hash)]).toEqual([null, null]);
    for (const stage of ['connect', 'greeting', 'rcpt'] as const) {
      lead.reach(stage);
      expect(await one.stageOf(hash)).toBe(stage);
      expect(await hears(other, hash, stage)).toBe(true);
    }
    await lead.complete(false);
    expect([await one.stageOf(hash), await other.stageOf(hash)]).toEqual([null, null]);
  });

  it('is forgotten with a crashed holder', async () => {
    const dying = await connected();
    const other = await newProcess();
    const hash = newHash();
    (await leading(join(processOn(dying, { leaseMs: 300, renewMs: 20 }), hash))).reach('greeting');
    expect(await hears(other, hash, 'greeting')).toBe(true);
    dying.disconnect();
    expect(await hears(other, hash, null)).toBe(true);
    expect(await (await connected()).exists(leaseOf(hash))).toBe(0);
  });
});

describe('a holder', () => {
  it('keeps its lease as long as it runs', async () => {
    const [one, other] = [await newProcess({ leaseMs: 1500, renewMs: 50 }), await newProcess({ pollMs: 20 })];
    const hash = newHash();
    const lead = await leading(join(one, hash));
    expect(await join(other, hash, 'standard', 4000)).toEqual({ kind: 'timed_out' });
    await lead.complete(true);
  });

  it('that crashed is followed by exactly one leader', async () => {
    const dying = await connected();
    const hash = newHash();
    await leading(join(processOn(dying, { leaseMs: 300, ...NEVER_RENEWS }), hash));
    const others = [await newProcess({ pollMs: 20 }), await newProcess({ pollMs: 20 })];
    const waiting = Array.from({ length: 20 }, (_, index) => join(others[index % 2]!, hash));
    dying.disconnect();
    const next = await leading(Promise.race(waiting));
    await Promise.all(others.map(asked));
    await next.complete(true);
    const ends = await kinds(...waiting);
    expect(ends.filter((kind) => kind === 'leader')).toHaveLength(1);
    expect(ends.filter((kind) => kind === 'completed')).toHaveLength(19);
  });

  describe('that was busy for longer than its lease', () => {
    const overtaken = async (options = NEVER_RENEWS) => {
      const [redis, busyRedis] = [await connected(), await connected()];
      const next = processOn(redis, { pollMs: 20 });
      const hash = newHash();
      const busy = await leading(join(processOn(busyRedis, { leaseMs: 100, ...options }), hash));
      const follower = await leading(join(next, hash));
      return { redis, busyRedis, busy, next, follower, hash, waiting: join(next, hash) };
    };

    it("does not release another's lease", async () => {
      const { redis, busy, next, follower, hash, waiting } = await overtaken();
      await busy.complete(false);
      expect(await redis.exists(leaseOf(hash))).toBe(1);
      expect(next.state).toMatchObject({ held: 1, waiting: 1 });
      await follower.complete(true);
      expect(await redis.exists(leaseOf(hash))).toBe(0);
      expect(await waiting).toEqual({ kind: 'completed' });
    });

    it('has a valid result', async () => {
      const { redis, busy, follower, hash, waiting } = await overtaken();
      await busy.complete(true);
      expect(await waiting).toEqual({ kind: 'completed' });
      expect(await redis.exists(leaseOf(hash))).toBe(1);
      await follower.complete(true);
    });

    it('does not take the lease back', async () => {
      const { redis, busyRedis, busy, follower, hash, waiting } = await overtaken({ renewMs: 2000 });
      const holder = await redis.get(leaseOf(hash));
      await sends(busyRedis, 1);
      await busyRedis.ping();
      expect(await redis.get(leaseOf(hash))).toBe(holder);
      await busy.complete(false);
      await follower.complete(true);
      expect(await waiting).toEqual({ kind: 'completed' });
    });
  });

  it('whose answer was lost gets its lease when it asks again', async () => {
    const leases = new Leases(await connected(), { leaseMs: 5000, channel: 'none' });
    const request = { hash: newHash(), token: 'one', last: null };
    const first = await leases.acquire(request);
    expect(first?.taken).toBe(true);
    expect(await leases.acquire({ ...request, token: 'other', last: first })).toMatchObject({ taken: false });
    expect(await leases.acquire({ ...request, last: first })).toMatchObject({ taken: true });
  });

  it('that never completes is given up', async () => {
    const flights = await newProcess({ leaseMs: 300, renewMs: 20, longestHoldMs: 60 });
    const hash = newHash();
    const stuck = await leading(join(flights, hash));
    const next = await leading(join(flights, hash));
    await stuck.complete(true);
    expect(flights.state.held).toBe(1);
    await next.complete(true);
    expect(flights.state.addresses).toBe(0);
  });
});

it('close ends every wait and every connection', async () => {
  const redis = await connected();
  const subscribers: Redis[] = [];
  const flights = new SingleFlight(redis, () => {
    const subscriber = redis.duplicate({ autoResubscribe: false });
    subscribers.push(subscriber);
    return subscriber;
  });
  const holder = await newProcess();
  const hash = newHash();
  const lead = await leading(join(holder, hash));
  expect(subscribers).toEqual([]);
  const waiting = [join(flights, hash), join(flights, hash, 'enhanced')];
  expect(await waitUntil(async () => subscribers[0]?.status === 'ready', { ms: 60_000 })).toBe(true);
  flights.close();
  expect(await kinds(...waiting, join(flights, hash))).toEqual(['timed_out', 'timed_out', 'timed_out']);
  expect(await waitUntil(async () => subscribers[0]?.status === 'end', { ms: 60_000 })).toBe(true);
  expect(await nobodyWaits(flights)).toBe(true);
  await lead.complete(true);
});

it('is provided in a process with Redis, and closed with it', async () => {
  const redis = await connected();
  @Global()
  @Module({ providers: [{ provide: Redis, useValue: redis }], exports: [Redis] })
  class GivenRedis {}
  @Module({ imports: [GivenRedis], providers: [SingleFlight] })
  class Process {}
  const app = await NestFactory.createApplicationContext(Process, { logger: false });
  const flights = app.get(SingleFlight);
  const hash = newHash();
  const lead = await leading(join(await newProcess(), hash));
  const waiting = join(flights, hash);
  expect(await waitUntil(async () => (await listeners(redis)) === 1, { ms: 60_000 })).toBe(true);
  await app.close();
  expect(await waiting).toEqual({ kind: 'timed_out' });
  expect(await waitUntil(async () => (await listeners(redis)) === 0, { ms: 60_000 })).toBe(true);
  await lead.complete(true);
});
