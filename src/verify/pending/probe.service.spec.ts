import { Logger } from '@nestjs/common';
import { parseAddress } from '../../engine/address/parse-address.js';
import type { CheckOutcome } from '../../engine/check.js';
import type { CheckOptions } from '../../engine/engine.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import type { CachedCheck } from '../cache/cached-check.js';
import type { Flight } from '../flights/flight.js';
import type { Fate } from './fate.js';
import type { RecordedCheck } from './probe-endings.repository.js';
import { ProbeLine } from './probe-line.js';
import type { ProbeTurn } from './probe-turns.repository.js';
import { ProbeService, type TurnOutcome } from './probe.service.js';

Logger.overrideLogger(false);

const HASH = 'a'.repeat(64);
const TURN: ProbeTurn = {
  id: 'an id',
  hash: HASH,
  email: 'ada@example.com',
  domain: 'example.com',
  mode: 'standard',
  state: 'due',
  egress: null,
  newerThan: null,
  lastCheckedAt: null,
  catchAll: false,
  dueInMs: 0,
  waitedMs: 0,
  begun: 0,
  failures: 0,
};
const NEVER = new AbortController().signal;
const SETTLED = { stage: 'rcpt', ending: 'reply', class: 'accepted', code: 250, host: null } as ProbeFacts;
const TIMED_OUT = { stage: 'greeting', ending: 'timeout', class: null, code: null } as ProbeFacts;
const lost = (): Error => Object.assign(new Error('gone'), { fatal: true });

function checked(probe: ProbeFacts): CheckOutcome {
  const mailHosts = { kind: 'found', primary: 'mx.example.com', exchanges: ['mx.example.com'] } as const;
  return {
    kind: 'checked',
    check: {
      parsed: parseAddress('ada@example.com'),
      mode: 'standard',
      deferred: false,
      facts: { mailHosts, probe },
      checkedAt: new Date(0),
    },
  };
}
const unavailable = (busy?: true): CheckOutcome => ({ kind: 'unavailable', why: 'a fault', ...(busy && { busy }) });

interface World {
  /** What is found at each look; the last one stays. */
  readonly rows?: readonly (ProbeTurn | null)[];
  readonly flights?: readonly Flight['kind'][];
  readonly outcome?: CheckOutcome | ((options: CheckOptions) => Promise<CheckOutcome>);
  readonly fate?: Fate;
  readonly begins?: readonly boolean[];
  readonly recordFails?: readonly Error[];
  /** A check on record. */
  readonly cached?: CachedCheck;
  readonly line?: ProbeLine;
}

function service(world: World) {
  const rows = [...(world.rows ?? [TURN])];
  const flights = [...(world.flights ?? [])];
  const begins = [...(world.begins ?? [])];
  const recordFails = [...(world.recordFails ?? [])];
  const log = {
    checks: [] as CheckOptions[],
    records: [] as RecordedCheck[],
    landed: [] as boolean[],
    takenBack: 0,
    postponed: [] as { afterMs: number; failed: boolean }[],
    failed: [] as string[],
    settled: [] as string[],
    turns: [] as TurnOutcome[],
  };
  let onLanding = (): void => undefined;
  const firstLanding = new Promise<void>((resolve) => (onLanding = resolve));
  const lead = (): Flight => {
    let over = false;
    return {
      kind: 'lead',
      recheck: false,
      land: async (stored) => {
        if (!over) log.landed.push(stored);
        over = true;
        onLanding();
      },
    };
  };
  const line = world.line ?? new ProbeLine({ asking: 1, ready: 1 });
  const probes = new ProbeService({
    line,
    turns: {
      find: async () => (rows.length > 1 ? rows.shift()! : rows[0]!),
      begin: async () => begins.shift() ?? true,
      takeBack: async () => void log.takenBack++,
      postpone: async (_, how) => void log.postponed.push(how),
    },
    endings: {
      record: async (check) => {
        const fault = recordFails.shift();
        if (fault !== undefined) throw fault;
        log.records.push(check);
        return { fate: world.fate ?? { kind: 'ended' }, stored: true };
      },
      settle: async (id) => void log.settled.push(id),
      fail: async (_, why) => log.failed.push(why) > 0,
    },
    cache: { find: async () => new Map(world.cached && [[HASH, world.cached]]) },
    flights: {
      join: async () => {
        const kind = flights.shift() ?? 'lead';
        return kind === 'lead' ? lead() : { kind };
      },
    },
    engine: {
      check: async (_, options) => {
        log.checks.push(options);
        const outcome = world.outcome ?? checked(SETTLED);
        return typeof outcome === 'function' ? outcome(options) : outcome;
      },
    },
    deadlineMs: 60_000,
    onTurn: (outcome) => log.turns.push(outcome),
    random: () => 0,
  });
  return { log, firstLanding, run: (stop: AbortSignal = NEVER) => probes.run(HASH, stop) };
}

describe('a turn', () => {
  describe('where a check was recorded while the call was on its way', () => {
    const facts = (checked(SETTLED) as CheckOutcome & { kind: 'checked' }).check.facts;
    const cached: CachedCheck = {
      hash: HASH,
      domain: 'example.com',
      facts,
      depth: 'standard',
      checkedAt: new Date(1000),
      expiresAt: new Date(Date.now() + 60_000),
      engineVersion: 1,
    };

    it('asks nobody: that one answers', async () => {
      const { run, log } = service({ cached, rows: [{ ...TURN, lastCheckedAt: cached.checkedAt }] });
      expect(await run()).toEqual({ kind: 'over' });
      expect([log.checks, log.settled]).toEqual([[], ['an id']]);
    });

    it.each<[string, Partial<ProbeTurn>]>([
      ['that the call knew of', { newerThan: new Date(1000) }],
      ['that is not deep enough', { mode: 'enhanced' }],
    ])('asks all the same for one %s', async (_which, turn) => {
      const { run, log } = service({ cached, rows: [{ ...TURN, lastCheckedAt: cached.checkedAt, ...turn }, null] });
      await run();
      expect([log.checks.length, log.settled]).toEqual([1, []]);
    });
  });

  it('records what was found out, lands with it, and is over', async () => {
    const { run, log } = service({});
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.records).toMatchObject([{ by: 'turn', hash: HASH, mode: 'standard', deadlinePassed: false }]);
    expect(log).toMatchObject({ landed: [true], postponed: [], turns: [{ stage: 'rcpt', ending: 'reply' }] });
    expect(log.checks).toMatchObject([{ egress: null, domain: { catchAll: false }, patienceMs: 1000 }]);
  });

  it('is over where nothing is pending any more', async () => {
    const { run, log } = service({ rows: [null] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks).toEqual([]);
  });

  it('is not had before it is due', async () => {
    const { run, log } = service({ rows: [{ ...TURN, state: 'greylisted', dueInMs: 5000 }] });
    expect(await run()).toEqual({ kind: 'again', afterMs: 5000 });
    expect(log.checks).toEqual([]);
  });

  it('goes by the same way out when it is a retry', async () => {
    const { run, log } = service({ rows: [{ ...TURN, state: 'greylisted', egress: 'the second' }] });
    await run();
    expect(log.checks).toMatchObject([{ egress: 'the second' }]);
    expect(log.records).toMatchObject([{ by: 'retry' }]);
  });

  it('knows what is known of the domain', async () => {
    const { run, log } = service({ rows: [{ ...TURN, catchAll: true }] });
    await run();
    expect(log.checks).toMatchObject([{ domain: { catchAll: true } }]);
  });

  it('comes again when it was greylisted', async () => {
    const { run } = service({ fate: { kind: 'retry', afterMs: 900_000, egress: null } });
    expect(await run()).toEqual({ kind: 'again', afterMs: 900_000 });
  });

  it('is followed by a deeper one at once, where that is wanted meanwhile', async () => {
    const { run, log } = service({ rows: [TURN, { ...TURN, mode: 'enhanced' }, null], fate: { kind: 'kept' } });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks.map(({ mode }) => mode)).toEqual(['standard', 'enhanced']);
  });

  it('is recorded when the database was away for a moment, and the mail host is not asked again', async () => {
    const { run, log } = service({ recordFails: [lost()] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks).toHaveLength(1);
    expect(log.landed).toEqual([true]);
  });

  it('throws what else goes wrong, and lets others have the address', async () => {
    const { run, log } = service({ recordFails: [new Error('a bug')] });
    await expect(run()).rejects.toThrow('a bug');
    expect(log.landed).toEqual([false]);
  });
});

describe('an address that somebody else has', () => {
  it('is over when that settled it', async () => {
    const { run, log } = service({ rows: [TURN, null], flights: ['landed'] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks).toEqual([]);
  });

  it('is probed when that left it due', async () => {
    const { run, log } = service({ flights: ['landed', 'lead'] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks).toHaveLength(1);
  });

  it('is looked at later when that takes long', async () => {
    const { run } = service({ flights: ['late'] });
    expect(await run()).toEqual({ kind: 'again', afterMs: 1000 });
  });

  it('is looked at later when it never comes to rest', async () => {
    const { run, log } = service({ begins: Array<boolean>(100).fill(false) });
    expect(await run()).toEqual({ kind: 'again', afterMs: 1000 });
    expect(log.checks).toEqual([]);
    expect(log.landed.length).toBeLessThanOrEqual(10);
  });
});

describe('where others ask already', () => {
  const full = async (): Promise<{ line: ProbeLine; leave: () => void }> => {
    const line = new ProbeLine({ asking: 1, ready: 1 });
    const other = line.place();
    await other.ask();
    return { line, leave: () => other.leave() };
  };

  it('a turn that cannot begin soon lets others have the address, and asks when its time has come', async () => {
    const { line, leave } = await full();
    const { run, log, firstLanding } = service({ line });
    const running = run();
    await firstLanding;
    expect(log).toMatchObject({ takenBack: 1, landed: [false], checks: [], postponed: [] });
    leave();
    expect(await running).toEqual({ kind: 'over' });
    expect(log).toMatchObject({ takenBack: 1, landed: [false, true] });
    expect(log.checks).toHaveLength(1);
  });

  it('a turn asks nobody when somebody else has settled the address meanwhile', async () => {
    const { line, leave } = await full();
    const { run, log, firstLanding } = service({ line, rows: [TURN, null] });
    const running = run();
    await firstLanding;
    leave();
    expect(await running).toEqual({ kind: 'over' });
    expect(log.checks).toEqual([]);
  });

  it('nobody gets ready or begins when the process stops: others have those turns at once', async () => {
    const { line } = await full();
    const [ready, waiting] = [service({ line }), service({ line })];
    const running = [ready.run(), waiting.run()];
    line.onModuleDestroy();
    expect(await Promise.all(running)).toEqual([
      { kind: 'again', afterMs: 0 },
      { kind: 'again', afterMs: 0 },
    ]);
    expect(ready.log).toMatchObject({ checks: [], takenBack: 1, landed: [false] });
    expect(waiting.log).toMatchObject({ checks: [], takenBack: 0, landed: [] });
  });

  it('a place is free again while what was found out is recorded', async () => {
    const line = new ProbeLine({ asking: 1, ready: 1 });
    const { run } = service({ line, recordFails: [lost()] });
    const other = line.place();
    const running = run();
    expect(await other.ask()).toBe(true);
    other.leave();
    expect(await running).toEqual({ kind: 'over' });
  });
});

describe('a turn that fails on our side', () => {
  it.each([
    [0, 2000],
    [1, 10_000],
  ])('after %d others comes again in %d ms', async (failures, afterMs) => {
    const { run, log } = service({ rows: [{ ...TURN, failures }], outcome: unavailable() });
    expect(await run()).toEqual({ kind: 'again', afterMs });
    expect(log).toMatchObject({ postponed: [{ afterMs, failed: true }], failed: [], landed: [false] });
  });

  it('ends the probe the third time', async () => {
    const { run, log } = service({ rows: [{ ...TURN, failures: 2 }], outcome: unavailable() });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log).toMatchObject({ failed: ['a fault'], postponed: [] });
  });

  it.each([
    [0, 2000],
    [30_000, 6000],
    [3_000_000, 60_000],
  ])(
    'is no failure when our limits were full: one that waited %d ms comes again in %d ms',
    async (waitedMs, afterMs) => {
      const { run, log } = service({ rows: [{ ...TURN, waitedMs, failures: 2 }], outcome: unavailable(true) });
      expect(await run()).toEqual({ kind: 'again', afterMs });
      expect(log).toMatchObject({ postponed: [{ afterMs, failed: false }], failed: [] });
    },
  );

  it('ends the probe when five were begun and none came back', async () => {
    const { run, log } = service({ rows: [{ ...TURN, begun: 5 }] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.failed).toHaveLength(1);
    expect(log.checks).toEqual([]);
  });

  it('ends the probe when its address cannot be opened', async () => {
    const { run, log } = service({ rows: [{ ...TURN, email: null }] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.failed).toHaveLength(1);
  });
});

describe('when the process stops', () => {
  const cancelled = (outcome: CheckOutcome) => async (options: CheckOptions) => {
    await new Promise((resolve) => {
      options.deadline.signal.addEventListener('abort', resolve);
    });
    return outcome;
  };

  it.each([unavailable(), checked(TIMED_OUT)])('a turn that was given up is had by others at once', async (outcome) => {
    const stop = new AbortController();
    const { run, log } = service({ outcome: cancelled(outcome) });
    const running = run(stop.signal);
    setImmediate(() => stop.abort());
    expect(await running).toEqual({ kind: 'again', afterMs: 0 });
    expect(log).toMatchObject({ postponed: [{ afterMs: 0, failed: false }], records: [], landed: [false] });
  });

  it('what was settled in time stands', async () => {
    const stop = new AbortController();
    const { run, log } = service({ outcome: cancelled(checked(SETTLED)) });
    const running = run(stop.signal);
    setImmediate(() => stop.abort());
    expect(await running).toEqual({ kind: 'over' });
    expect(log.records).toHaveLength(1);
  });

  it('nothing is begun any more', async () => {
    const { run, log } = service({});
    expect(await run(AbortSignal.abort())).toEqual({ kind: 'again', afterMs: 0 });
    expect(log.checks).toEqual([]);
  });
});
