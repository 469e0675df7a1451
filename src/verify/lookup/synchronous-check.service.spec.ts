import { Logger } from '@nestjs/common';
import type { Check, CheckOutcome } from '../../engine/check.js';
import { parseAddress } from '../../engine/address/parse-address.js';
import type { Address } from '../../engine/address/address.js';
import { NOTHING_KNOWN } from '../../engine/domain-knowledge.js';
import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { CachedCheck } from '../cache/cached-check.js';
import type { VerificationEngine } from '../../engine/engine.js';
import type { AppConfig } from '../../platform/config/app-config.js';
import type { EngineProvider } from '../engine/engine-provider.js';
import type { CheckRecorder } from '../probes/check-recorder.js';
import type { PendingProbesRepository } from '../probes/pending-probes.repository.js';
import type { SmtpProbeProducer } from '../probes/smtp-probe.queue.js';
import type { SingleFlight } from '../single-flight/single-flight.js';
import type { JoinOutcome } from '../single-flight/join-outcome.js';
import { NOTHING_OF_ADDRESS, type CheckLookupService, type Known } from './check-lookup.service.js';
import { SynchronousCheckService, type SynchronousCheckRequest } from './synchronous-check.service.js';

/** Long enough that a busy machine passes no deadline. */
beforeEach(() => jest.spyOn(performance, 'now').mockReturnValue(1000));
afterEach(() => jest.restoreAllMocks());

const HASH = 'a'.repeat(64);
const parsed = parseAddress('ada@example.com');
const address = (parsed as { ok: true; address: Address }).address;
const checkedAt = new Date('2026-01-01T00:00:00Z');
const facts = { mailHosts: null, probe: null };
const check: Check = { parsed, mode: 'standard', deferred: false, facts, checkedAt };
const cached: CachedCheck = {
  hash: HASH,
  domain: 'example.com',
  facts,
  depth: 'standard',
  checkedAt,
  expiresAt: new Date('2999-01-01T00:00:00Z'),
  engineVersion: 1,
};
const atDnsDepth: Check = { ...check, deferred: true };
const older: CachedCheck = { ...cached, checkedAt: new Date('2025-01-01T00:00:00Z') };
const known: Known = { ...NOTHING_OF_ADDRESS, hash: HASH, domain: NOTHING_KNOWN };
const request = (over: Partial<Known> = {}): SynchronousCheckRequest => ({
  address,
  asked: { account: 'a', mode: 'standard', maxAgeSeconds: null },
  known: { ...known, ...over },
  atDnsDepth,
  budgetMs: 5000,
});

/** Logs all events in order; the other parts answer as given. */
function scene(given: {
  flights?: (JoinOutcome['kind'] | 'recheck')[];
  /** How far another caller's check has come. */
  stage?: SmtpStage;
  seen?: Partial<Known>[];
  outcome?: CheckOutcome;
  recording?: Promise<boolean>;
  probesHere?: boolean;
}) {
  const happened: string[] = [];
  const joins = [...(given.flights ?? ['leader'])];
  const seen = [...(given.seen ?? [])];
  const engine: Pick<VerificationEngine, 'check'> = {
    check: (_email, { egress, onStage }) => {
      happened.push(egress == null ? 'check' : `check by ${egress}`);
      onStage?.('greeting');
      return Promise.resolve(given.outcome ?? { kind: 'checked', check });
    },
  };
  const flights: Pick<SingleFlight, 'join' | 'stageOf'> = {
    join: () => {
      const next = joins.shift() ?? 'timed_out';
      happened.push(`join: ${next}`);
      if (next === 'completed' || next === 'timed_out') return Promise.resolve({ kind: next });
      const complete = (stored: boolean): Promise<void> => Promise.resolve(void happened.push(`complete ${stored}`));
      const reach = (stage: SmtpStage): void => void happened.push(`reach ${stage}`);
      return Promise.resolve({ kind: 'leader', recheck: next === 'recheck', reach, complete });
    },
    stageOf: () => Promise.resolve(given.stage ?? null),
  };
  const lookups: Pick<CheckLookupService, 'lookUpOne'> = {
    lookUpOne: () => Promise.resolve({ ...known, ...seen.shift() }),
  };
  const recorder: Pick<CheckRecorder, 'record'> = {
    record: ({ deadlinePassed }) => {
      happened.push(deadlinePassed ? 'record what was cut' : 'record');
      return given.recording ?? Promise.resolve(true);
    },
  };
  const pending: Pick<PendingProbesRepository, 'addProbes'> = {
    addProbes: (wanted) => {
      happened.push(`pending ${wanted.map(({ urgency }) => urgency).join()}`);
      return Promise.resolve(wanted.map(({ hash }) => ({ id: 'x', hash })));
    },
  };
  const queue: Pick<SmtpProbeProducer, 'queueProbes'> = { queueProbes: () => void happened.push('queue') };
  const live = new SynchronousCheckService(
    { engine } as EngineProvider,
    flights as SingleFlight,
    lookups as CheckLookupService,
    recorder as CheckRecorder,
    pending as PendingProbesRepository,
    queue as SmtpProbeProducer,
    { probes: { here: given.probesHere ?? true } } as AppConfig,
  );
  jest.spyOn(Logger.prototype, 'error').mockImplementation((_, what: unknown) => void happened.push(String(what)));
  return { live, happened };
}

describe('SynchronousCheckService', () => {
  it('checks, records, and notifies waiters, in this order', async () => {
    const { live, happened } = scene({});
    expect(await live.check(request())).toMatchObject({ kind: 'checked', check });
    expect(happened).toEqual(['join: leader', 'check', 'reach greeting', 'record', 'complete true']);
  });

  it('returns a check while it is recorded, and notifies waiters afterwards', async () => {
    let record!: (stored: boolean) => void;
    const { live, happened } = scene({ recording: new Promise((resolve) => (record = resolve)) });
    const outcome = await live.check(request());
    expect(happened.at(-1)).toBe('record');
    record(true);
    expect(outcome).toMatchObject({ kind: 'checked', check });
    await (outcome as { recording?: Promise<unknown> }).recording;
    expect(happened.at(-1)).toBe('complete true');
  });

  it('treats a check that ended at its deadline as cut short', async () => {
    const { live, happened } = scene({});
    await live.check({ ...request(), budgetMs: 40 });
    expect(happened).toContain('record what was cut');
  });

  it('uses the egress of an earlier greylisted probe', async () => {
    const { live, happened } = scene({});
    await live.check(request({ pending: { id: 'x', hash: HASH, kind: 'greylisted', egress: 'north', dueInMs: 0 } }));
    expect(happened).toContain('check by north');
  });

  it('returns a result that could not be recorded, and lets waiters check for themselves', async () => {
    const recording = Promise.reject<boolean>(new Error('no database'));
    const { live, happened } = scene({ recording });
    expect(await live.check(request())).toMatchObject({ kind: 'checked' });
    expect(happened).toEqual([
      'join: leader',
      'check',
      'reach greeting',
      'record',
      'the result of a check could not be recorded',
      'complete false',
    ]);
  });

  it('does not share our own failure with waiters', async () => {
    const { live, happened } = scene({ outcome: { kind: 'unavailable', why: 'no network' } });
    expect(await live.check(request())).toEqual({ kind: 'unavailable', why: 'no network' });
    expect(happened).toEqual(['join: leader', 'check', 'reach greeting', 'complete false']);
  });

  it('is settled by what another address showed of the domain, when its own probe did not come about', async () => {
    const domain = { catchAll: true, crawled: null };
    const { live, happened } = scene({ outcome: { kind: 'unavailable', why: 'busy', busy: true }, seen: [{ domain }] });
    expect(await live.check(request())).toEqual({ kind: 'checked', check: atDnsDepth, domain });
    expect(happened.at(-1)).toBe('complete false');
  });

  it('returns the result that the leader recorded', async () => {
    const { live, happened } = scene({ flights: ['completed'], seen: [{ cached }] });
    expect(await live.check(request())).toEqual({ kind: 'recorded', cached, joined: true });
    expect(happened).toEqual(['join: completed']);
  });

  it('accepts a transient result that was found while it waited', async () => {
    const { live } = scene({ flights: ['completed'], seen: [{ lastResort: cached }] });
    expect(await live.check(request({ lastResort: older, lastCheckedAt: older.checkedAt }))).toEqual({
      kind: 'recorded',
      cached,
      joined: true,
    });
  });

  it('ignores a check that was recorded before the call', async () => {
    const { live, happened } = scene({ flights: ['completed', 'leader'], seen: [{ cached: older }] });
    expect(await live.check(request({ lastCheckedAt: older.checkedAt }))).toMatchObject({ kind: 'checked' });
    expect(happened).toEqual(['join: completed', 'join: leader', 'check', 'reach greeting', 'record', 'complete true']);
  });

  it('reads the cache once more before a probe if another process may have just recorded', async () => {
    const { live, happened } = scene({ flights: ['recheck'], seen: [{ cached }] });
    expect(await live.check(request())).toMatchObject({ kind: 'recorded' });
    expect(happened).toEqual(['join: recheck', 'complete true']);
  });

  it.each([
    ['greeting', 'timeout'],
    ['connect', 'no_connection'],
  ] as const)(
    'says what the check of somebody else knows when time is up: it has come to %s',
    async (stage, ending) => {
      const before = { lastResort: older, lastCheckedAt: checkedAt };
      expect(await scene({ flights: ['timed_out'], stage }).live.check(request(before))).toMatchObject({
        kind: 'checked',
        check: { deferred: false, mode: 'standard', facts: { mailHosts: null, probe: { stage, ending } } },
      });
    },
  );

  it('answers from the stage of the worker’s probe when time is up', async () => {
    const { live } = scene({ probesHere: false, seen: [{}], stage: 'rcpt' });
    expect(await live.check({ ...request(), budgetMs: 0 })).toMatchObject({
      kind: 'checked',
      check: { facts: { probe: { stage: 'rcpt', ending: 'timeout' } } },
    });
  });

  it('does not start if time is up already', async () => {
    const { live, happened } = scene({});
    expect(await live.check({ ...request(), budgetMs: 0 })).toEqual({ kind: 'under_way' });
    expect(happened).toEqual(['join: leader', 'complete false']);
  });

  it('answers with an earlier result when time is up, or reports the other check as under way', async () => {
    expect(
      await scene({ flights: ['timed_out'] }).live.check(request({ lastResort: older, lastCheckedAt: checkedAt })),
    ).toEqual({
      kind: 'recorded',
      cached: older,
      joined: false,
    });
    expect(await scene({ flights: ['timed_out'] }).live.check(request())).toEqual({ kind: 'under_way' });
  });

  it('leaves the probe to the worker with PROBE_IN_API=false, and waits for it', async () => {
    const { live, happened } = scene({ probesHere: false, seen: [{}, { cached }] });
    expect(await live.check(request())).toMatchObject({ kind: 'recorded', joined: true });
    expect(happened).toEqual(['pending single', 'queue']);
  });

  it('is settled by what another address showed of the domain, when the worker needed no probe for this one', async () => {
    const domain = { catchAll: true, crawled: null };
    const { live } = scene({ probesHere: false, seen: [{}, { domain }, { domain }] });
    expect(await live.check(request())).toEqual({ kind: 'checked', check: atDnsDepth, domain });
    const recorded = scene({ probesHere: false, seen: [{ domain }, { domain, cached }] });
    expect(await recorded.live.check(request())).toMatchObject({ kind: 'recorded', cached });
  });

  it('waits for the probe that is to find out anew whether the domain accepts everybody', async () => {
    const pending: Known['pending'] = { id: 'x', hash: HASH, kind: 'due', egress: null, dueInMs: 0 };
    const domain = { catchAll: true, crawled: null };
    const { live } = scene({
      probesHere: false,
      seen: [
        { domain, pending },
        { domain, cached },
      ],
    });
    expect(await live.check(request())).toMatchObject({ kind: 'recorded', cached });
  });

  it('reports the worker’s probe as under way when time is up', async () => {
    const { live } = scene({ probesHere: false, seen: [{}] });
    expect(await live.check({ ...request(), budgetMs: 0 })).toEqual({ kind: 'under_way' });
  });

  it('does not wait for an attempt that is due after its deadline', async () => {
    const pending = { id: 'x', hash: HASH, kind: 'greylisted', egress: null } as const;
    const seen = [
      { pending: { ...pending, dueInMs: 4000 } },
      { pending: { ...pending, dueInMs: 60_000 } },
      { pending: { ...pending, dueInMs: 60_000 }, cached },
    ];
    const { live } = scene({ probesHere: false, seen });
    expect(await live.check(request())).toEqual({ kind: 'under_way' });
  });

  it('does not wait for a worker that has given up', async () => {
    const failed: Known['pending'] = { id: 'x', hash: HASH, kind: 'failed', egress: null, dueInMs: 0 };
    const { live } = scene({ probesHere: false, seen: [{ pending: failed }] });
    expect(await live.check(request())).toMatchObject({ kind: 'unavailable' });
  });
});
