import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import {
  checked,
  HASH,
  lost,
  probeService,
  SETTLED,
  TIMED_OUT,
  TURN,
  unavailable,
} from '../../../test/factories/probe-service.js';
import type { CheckOutcome } from '../../engine/check.js';
import type { CheckOptions } from '../../engine/engine.js';
import type { CachedCheck } from '../cache/cached-check.js';
import type { ProbeAttempt } from './probe-attempts.repository.js';
import { ProbeSlots } from './probe-slots.js';

Logger.overrideLogger(false);

describe('a turn', () => {
  describe('if a check was recorded while the call was running', () => {
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

    it('does not probe: the recorded check answers', async () => {
      const { run, log } = probeService({ cached, rows: [{ ...TURN, lastCheckedAt: cached.checkedAt }] });
      expect(await run()).toEqual({ kind: 'over' });
      expect([log.checks, log.settled]).toEqual([[], ['an id']]);
    });

    it.each<[string, Partial<ProbeAttempt>]>([
      ['that the call knew of', { newerThan: new Date(1000) }],
      ['that is not deep enough', { mode: 'enhanced' }],
    ])('probes all the same for a check %s', async (_which, turn) => {
      const { run, log } = probeService({
        cached,
        rows: [{ ...TURN, lastCheckedAt: cached.checkedAt, ...turn }, null],
      });
      await run();
      expect([log.checks.length, log.settled]).toEqual([1, []]);
    });
  });

  it('records the check, notifies waiters, and is over', async () => {
    const { run, log } = probeService({});
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.records).toMatchObject([{ by: 'turn', hash: HASH, mode: 'standard', deadlinePassed: false }]);
    expect(log).toMatchObject({ completed: [true], postponed: [], turns: [{ stage: 'rcpt', ending: 'reply' }] });
    expect(log.checks).toMatchObject([{ egress: null, domain: { catchAll: false }, patienceMs: 1000 }]);
  });

  it('takes no slow permit after a check that threw', async () => {
    const line = new ProbeSlots({ worker: { concurrency: 1 } });
    const { run } = probeService({ line, slowAfterMs: 1, outcome: () => Promise.reject(new Error('a bug')) });
    await expect(run()).rejects.toThrow('a bug');
    await delay(20);
    expect(line.open().moveToSlow('another account', () => undefined)).toBe(true);
  });

  it('publishes its stage to waiters', async () => {
    const outcome = async ({ onStage }: CheckOptions): Promise<CheckOutcome> => {
      onStage?.('greeting');
      return checked(SETTLED);
    };
    const { run, log } = probeService({ outcome });
    await run();
    expect(log).toMatchObject({ reached: ['greeting'], completed: [true] });
  });

  it('is over if no probe is pending', async () => {
    const { run, log } = probeService({ rows: [null] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks).toEqual([]);
  });

  it('does not start before it is due', async () => {
    const { run, log } = probeService({ rows: [{ ...TURN, state: 'greylisted', dueInMs: 5000 }] });
    expect(await run()).toEqual({ kind: 'again', afterMs: 5000 });
    expect(log.checks).toEqual([]);
  });

  it('uses the same egress for a retry', async () => {
    const { run, log } = probeService({ rows: [{ ...TURN, state: 'greylisted', egress: 'the second' }] });
    await run();
    expect(log.checks).toMatchObject([{ egress: 'the second' }]);
    expect(log.records).toMatchObject([{ by: 'retry' }]);
  });

  it('uses the stored facts of the domain', async () => {
    const { run, log } = probeService({ rows: [{ ...TURN, catchAll: true }] });
    await run();
    expect(log.checks).toMatchObject([{ domain: { catchAll: true } }]);
  });

  it('is repeated when the address was greylisted', async () => {
    const { run } = probeService({ transition: { kind: 'retry', afterMs: 900_000, egress: null } });
    expect(await run()).toEqual({ kind: 'again', afterMs: 900_000 });
  });

  it('is followed by a deeper probe at once if one was requested meanwhile', async () => {
    const { run, log } = probeService({
      rows: [TURN, { ...TURN, mode: 'enhanced' }, null],
      transition: { kind: 'kept' },
    });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks.map(({ mode }) => mode)).toEqual(['standard', 'enhanced']);
  });

  it('is recorded after a short database outage, without another probe', async () => {
    const { run, log } = probeService({ recordFails: [lost()] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks).toHaveLength(1);
    expect(log.completed).toEqual([true]);
  });

  it('throws other errors, and releases the address', async () => {
    const { run, log } = probeService({ recordFails: [new Error('a bug')] });
    await expect(run()).rejects.toThrow('a bug');
    expect(log.completed).toEqual([false]);
  });
});

describe('an address that another process checks', () => {
  it('is over if that check settled it', async () => {
    const { run, log } = probeService({ rows: [TURN, null], flights: ['completed'] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks).toEqual([]);
  });

  it('is probed if that check left it due', async () => {
    const { run, log } = probeService({ flights: ['completed', 'leader'] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.checks).toHaveLength(1);
  });

  it('is retried later if that check takes long', async () => {
    const { run } = probeService({ flights: ['timed_out'] });
    expect(await run()).toEqual({ kind: 'again', afterMs: 1000 });
  });

  it('is retried later if it is never free', async () => {
    const { run, log } = probeService({ begins: Array<boolean>(100).fill(false) });
    expect(await run()).toEqual({ kind: 'again', afterMs: 1000 });
    expect(log.checks).toEqual([]);
    expect(log.completed.length).toBeLessThanOrEqual(10);
  });
});

describe('a turn that fails on our side', () => {
  it.each([
    [0, 2000],
    [1, 10_000],
  ])('after %d earlier failures is retried in %d ms', async (failures, afterMs) => {
    const { run, log } = probeService({ rows: [{ ...TURN, failures }], outcome: unavailable() });
    expect(await run()).toEqual({ kind: 'again', afterMs });
    expect(log).toMatchObject({ postponed: [{ afterMs, failed: true }], failed: [], completed: [false] });
  });

  it('ends the probe the third time', async () => {
    const { run, log } = probeService({ rows: [{ ...TURN, failures: 2 }], outcome: unavailable() });
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
      const { run, log } = probeService({ rows: [{ ...TURN, waitedMs, failures: 2 }], outcome: unavailable(true) });
      expect(await run()).toEqual({ kind: 'again', afterMs });
      expect(log).toMatchObject({ postponed: [{ afterMs, failed: false }], failed: [] });
    },
  );

  it('ends the probe when five turns began and none reported back', async () => {
    const { run, log } = probeService({ rows: [{ ...TURN, begun: 5 }] });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.failed).toHaveLength(1);
    expect(log.checks).toEqual([]);
  });

  it('ends the probe when its address cannot be decrypted', async () => {
    const { run, log } = probeService({ rows: [{ ...TURN, email: null }] });
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

  it.each([unavailable(), checked(TIMED_OUT)])(
    'an abandoned turn is free for other processes at once',
    async (outcome) => {
      const stop = new AbortController();
      const { run, log } = probeService({ outcome: cancelled(outcome) });
      const running = run(stop.signal);
      setImmediate(() => stop.abort());
      expect(await running).toEqual({ kind: 'again', afterMs: 0 });
      expect(log).toMatchObject({ postponed: [{ afterMs: 0, failed: false }], records: [], completed: [false] });
    },
  );

  it('a result that came in time is kept', async () => {
    const stop = new AbortController();
    const { run, log } = probeService({ outcome: cancelled(checked(SETTLED)) });
    const running = run(stop.signal);
    setImmediate(() => stop.abort());
    expect(await running).toEqual({ kind: 'over' });
    expect(log.records).toHaveLength(1);
  });

  it('no turn starts', async () => {
    const { run, log } = probeService({});
    expect(await run(AbortSignal.abort())).toEqual({ kind: 'again', afterMs: 0 });
    expect(log.checks).toEqual([]);
  });
});
