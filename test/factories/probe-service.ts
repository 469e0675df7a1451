import { parseAddress } from '../../src/engine/address/parse-address.js';
import type { CheckOutcome } from '../../src/engine/check.js';
import type { CheckOptions } from '../../src/engine/engine.js';
import type { ProbeFacts } from '../../src/engine/smtp/prober.js';
import type { SmtpStage } from '../../src/engine/smtp/reply.js';
import type { CachedCheck } from '../../src/verify/cache/cached-check.js';
import type { JoinOutcome } from '../../src/verify/single-flight/join-outcome.js';
import type { ProbeTransition } from '../../src/verify/probes/probe-transition.js';
import type { RecordedCheck } from '../../src/verify/probes/probe-endings.repository.js';
import { ProbeSlots } from '../../src/verify/probes/probe-slots.js';
import type { ProbeAttempt } from '../../src/verify/probes/probe-attempts.repository.js';
import type { TurnOutcome } from '../../src/verify/probes/probe-metrics.js';
import { ProbeService } from '../../src/verify/probes/probe.service.js';
import { only } from './only.js';

export const HASH = 'a'.repeat(64);
export const TURN: ProbeAttempt = {
  id: 'an id',
  hash: HASH,
  email: 'ada@example.com',
  domain: 'example.com',
  mode: 'standard',
  state: 'due',
  egress: null,
  accountId: null,
  newerThan: null,
  lastCheckedAt: null,
  catchAll: false,
  dueInMs: 0,
  waitedMs: 0,
  begun: 0,
  failures: 0,
};
const NEVER = new AbortController().signal;
export const SETTLED = { stage: 'rcpt', ending: 'reply', class: 'accepted', code: 250, host: null } as ProbeFacts;
export const TIMED_OUT = { stage: 'greeting', ending: 'timeout', class: null, code: null } as ProbeFacts;
export const lost = (): Error => Object.assign(new Error('gone'), { fatal: true });

export function checked(probe: ProbeFacts): CheckOutcome {
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
export const unavailable = (busy?: true): CheckOutcome => ({
  kind: 'unavailable',
  why: 'a fault',
  ...(busy && { busy }),
});

interface World {
  /** What is found at each look; the last one stays. */
  readonly rows?: readonly (ProbeAttempt | null)[];
  readonly flights?: readonly JoinOutcome['kind'][];
  readonly outcome?: CheckOutcome | ((options: CheckOptions) => Promise<CheckOutcome>);
  readonly transition?: ProbeTransition;
  readonly begins?: readonly boolean[];
  readonly recordFails?: readonly Error[];
  /** A check on record. */
  readonly cached?: CachedCheck;
  readonly line?: ProbeSlots;
  readonly slowAfterMs?: number;
}

/** The service in a world of a test, with a log of what it did there. */
export function probeService(world: World) {
  const rows = [...(world.rows ?? [TURN])];
  const flights = [...(world.flights ?? [])];
  const begins = [...(world.begins ?? [])];
  const recordFails = [...(world.recordFails ?? [])];
  const log = {
    checks: [] as CheckOptions[],
    records: [] as RecordedCheck[],
    reached: [] as SmtpStage[],
    completed: [] as boolean[],
    takenBack: 0,
    postponed: [] as { afterMs: number; failed: boolean }[],
    failed: [] as string[],
    settled: [] as string[],
    turns: [] as TurnOutcome[],
  };
  let onCompletion = (): void => undefined;
  const firstCompletion = new Promise<void>((resolve) => (onCompletion = resolve));
  const lead = (): JoinOutcome => {
    let over = false;
    return {
      kind: 'leader',
      recheck: false,
      reach: (stage) => void log.reached.push(stage),
      complete: async (stored) => {
        if (!over) log.completed.push(stored);
        over = true;
        onCompletion();
      },
    };
  };
  const line = world.line ?? new ProbeSlots({ worker: { concurrency: 1 } });
  const probes = new ProbeService(
    line,
    only({
      findAttempt: async () => (rows.length > 1 ? rows.shift()! : rows[0]!),
      beginAttempt: async () => begins.shift() ?? true,
      cancelAttempt: async () => void log.takenBack++,
      postpone: async (_, how) => void log.postponed.push(how),
    }),
    only({
      record: async (check) => {
        const fault = recordFails.shift();
        if (fault !== undefined) throw fault;
        log.records.push(check);
        return { transition: world.transition ?? { kind: 'ended' }, stored: true };
      },
      settle: async (id) => void log.settled.push(id),
      fail: async (_, why) => log.failed.push(why) > 0,
    }),
    only({ findByHash: async () => new Map(world.cached && [[HASH, world.cached]]) }),
    only({
      join: async () => {
        const kind = flights.shift() ?? 'leader';
        return kind === 'leader' ? lead() : { kind };
      },
    }),
    only({
      engine: {
        check: async (_, options) => {
          log.checks.push(options);
          const outcome = world.outcome ?? checked(SETTLED);
          return typeof outcome === 'function' ? outcome(options) : outcome;
        },
      },
    }),
    only({ probes: { here: true, deadlineMs: 60_000, greylistRetryMs: 900_000 } }),
    only({ onTurn: (outcome) => void log.turns.push(outcome) }),
    () => 0,
    world.slowAfterMs,
  );
  return { log, firstCompletion, run: (stop: AbortSignal = NEVER) => probes.runAttempt(HASH, stop) };
}
