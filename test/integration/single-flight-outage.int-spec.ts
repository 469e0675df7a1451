import { setTimeout as delay } from 'node:timers/promises';
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
  theLink,
  useFlights,
} from './single-flight-support.js';

useFlights();

describe('a lost message', () => {
  it('is recovered by polling', async () => {
    await theLink().cut();
    const one = await newProcess();
    const deaf = processOn(await connected(), { pollMs: 50 }, theLink().port);
    const hash = newHash();
    const lead = await leading(join(one, hash));
    const waiting = [join(deaf, hash), join(deaf, hash, 'enhanced')];
    await asked(deaf);
    await lead.complete(true);
    expect(await waiting[0]).toEqual({ kind: 'completed' });
    await (await leading(waiting[1]!)).complete(true);
  });

  it('is recovered as soon as messages arrive again', async () => {
    await theLink().cut();
    const [one, deaf] = [await newProcess(), processOn(await connected(), { pollMs: 600_000 }, theLink().port)];
    const hash = newHash();
    const lead = await leading(join(one, hash));
    const waiting = join(deaf, hash);
    await asked(deaf);
    await lead.complete(true);
    await theLink().restore();
    expect(await waiting).toEqual({ kind: 'completed' });
  });

  it('is recovered even if the next process holds the lease already', async () => {
    await theLink().cut();
    const deaf = processOn(await connected(), { pollMs: 100 }, theLink().port);
    const one = await newProcess();
    const hash = newHash();
    const lead = await leading(join(one, hash));
    const waiting = join(deaf, hash);
    await asked(deaf);
    await lead.complete(true);
    const next = await leading(join(one, hash));
    expect(await waiting).toEqual({ kind: 'completed' });
    await next.complete(true);
  });
});

describe('Redis', () => {
  it('that is emptied does not let waiters take a held lease', async () => {
    const redis = await connected();
    const [one, other] = [await newProcess(NEVER_RENEWS), processOn(redis, { pollMs: 10 })];
    const hash = newHash();
    const lead = await leading(join(one, hash));
    const waiting = join(other, hash);
    await sends(redis, 2);
    await redis.flushdb();
    await sends(redis, 5);
    expect(other.state).toMatchObject({ held: 0, waiting: 1 });
    await lead.complete(true);
    expect(await waiting).toEqual({ kind: 'completed' });
  });

  it('that is emptied gets the lease back soon', async () => {
    const redis = await connected();
    const hash = newHash();
    const lead = await leading(join(processOn(redis, { renewMs: 20 }), hash));
    await redis.flushdb();
    expect(await waitUntil(async () => (await redis.exists(leaseOf(hash))) === 1, { ms: 60_000 })).toBe(true);
    await lead.complete(true);
    expect(await redis.exists(leaseOf(hash))).toBe(0);
  });

  it('that cannot be reached limits single-flight to each process, until it is back', async () => {
    await theLink().restore();
    const [near, far] = [
      await newProcess(),
      processOn(await connected('through the link'), { pollMs: 50, renewMs: 50 }),
    ];
    const hash = newHash();
    const lead = await leading(join(near, hash));
    const waiting = [join(far, hash), join(far, hash)];
    await asked(far);
    await theLink().cut();
    // Lost while they wait: one of them leads in its own process.
    const alone = await leading(Promise.race(waiting));
    expect(alone.recheck).toBe(true);
    expect(far.state.shared).toBe(false);
    await alone.complete(true);
    expect((await kinds(...waiting)).toSorted()).toEqual(['completed', 'leader']);
    await lead.complete(true);

    // Taken without it: the lease is in the book as soon as Redis is back.
    const other = newHash();
    const unshared = await leading(join(far, other));
    await theLink().restore();
    expect(await waitUntil(async () => far.state.shared, { ms: 60_000 })).toBe(true);
    expect(await (await connected()).exists(leaseOf(other))).toBe(1);
    const behind = join(near, other);
    await asked(near);
    await unshared.complete(true);
    expect(await behind).toEqual({ kind: 'completed' });

    // Lost while it is held, and back before the end.
    const third = newHash();
    const held = await leading(join(far, third));
    await theLink().cut();
    await held.complete(true);
    expect(far.state.addresses).toBe(0);
  });

  it('that hangs delays no check for long', async () => {
    await theLink().restore();
    const flights = processOn(await connected('through the link'));
    theLink().silence();
    const began = performance.now();
    const leads = await Promise.all(Array.from({ length: 20 }, () => leading(join(flights, newHash()))));
    await Promise.all(leads.map((lead) => lead.complete(true)));
    // The time limit of one command, once for all of them.
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(flights.state).toEqual({ ...QUIET, shared: false });
  });

  it('gets a new subscription after an outage', async () => {
    await theLink().restore();
    const [near, far] = [await newProcess(), processOn(await connected(), { pollMs: 600_000 }, theLink().port)];
    const listener = await connected();
    const landsByMessage = async (): Promise<void> => {
      const hash = newHash();
      const lead = await leading(join(near, hash));
      const waiting = join(far, hash);
      await asked(far);
      expect(await waitUntil(async () => (await listeners(listener)) === 1, { ms: 60_000 })).toBe(true);
      await lead.complete(true);
      expect(await waiting).toEqual({ kind: 'completed' });
    };
    await landsByMessage();
    await theLink().cut();
    expect(await waitUntil(async () => (await listeners(listener)) === 0, { ms: 60_000 })).toBe(true);
    await theLink().restore();
    await landsByMessage();
  });

  it('holds only keys that expire and contain no address', async () => {
    const redis = await connected();
    const [flights, far] = [processOn(redis, { renewMs: 20 }), await newProcess()];
    await (await leading(join(flights, newHash()))).complete(true);
    await (await leading(join(flights, newHash()))).complete(false);
    const hash = newHash();
    (await leading(join(flights, hash))).reach('greeting');
    expect(await waitUntil(async () => (await far.stageOf(hash)) === 'greeting', { ms: 60_000 })).toBe(true);
    const keys = await redis.keys('*');
    expect(keys.filter((key) => !/^mailvet:flight:\{[0-9a-f]{64}\}:(lease|landings|stage)$/.test(key))).toEqual([]);
    expect(keys.length).toBeGreaterThanOrEqual(4);
    const lives = await Promise.all(keys.map((key) => redis.pttl(key)));
    expect(Math.min(...lives)).toBeGreaterThan(0);
  });
});

it('no caller hangs or fails while Redis restarts repeatedly', async () => {
  await theLink().restore();
  const patient = { leaseMs: 300, renewMs: 50, pollMs: 50 };
  const processes = [
    await newProcess(patient),
    processOn(await connected('through the link'), patient),
    processOn(await connected('through the link'), patient, theLink().port),
  ];
  const addresses = [newHash(), newHash(), newHash()];
  const stop = new AbortController();
  const stopped = stop.signal;
  let ended = 0;
  const visitors = Array.from({ length: 30 }, async (_, index) => {
    while (!stopped.aborted) {
      const depth = index % 5 === 0 ? 'enhanced' : 'standard';
      const flight = await join(processes[index % 3]!, addresses[index % 2]!, depth, index % 4 === 0 ? 100 : 25_000);
      if (flight.kind === 'leader') {
        await delay(2);
        await flight.complete(index % 3 !== 0);
      } else {
        await delay(1);
      }
      ended += 1;
    }
  });
  const more = async (): Promise<void> => {
    const enough = ended + 200;
    expect(await waitUntil(async () => ended >= enough, { ms: 60_000 })).toBe(true);
  };
  for (let times = 0; times < 4; times += 1) {
    await more();
    await theLink().cut();
    await more();
    await theLink().restore();
  }
  stop.abort();
  await Promise.all(visitors);
  for (const flights of processes) expect(await nobodyWaits(flights)).toBe(true);
});
