import { probeFacts, refusal } from '../../../test/factories/check-facts.js';
import { knowledgeWith } from '../../../test/factories/job-work.js';
import { only } from '../../../test/factories/only.js';
import { canonicalAddress } from '../../engine/address/canonical-address.js';
import type { BulkProbeRequest } from '../../engine/smtp/bulk/bulk-prober.js';
import type { ProbeOutcome } from '../../engine/smtp/prober.js';
import type { QueuedChunk } from '../job-batch.queue.js';
import type { ChunkEnding } from '../job-metrics.js';
import { ChunkService } from './chunk.service.js';
import type { ChunkTurn, Claim } from './chunk-turns.repository.js';
import type { Retry } from '../outcomes/outcome.js';
import type { Findings } from '../outcomes/outcomes.repository.js';

const TURN: ChunkTurn = {
  jobId: 'job',
  accountId: 'account',
  number: 3,
  holder: 'holder',
  kind: 'first',
  priority: 7,
  egress: null,
  begunBefore: 0,
  failures: 0,
  mode: 'standard',
  total: 1000,
  arrivedAt: new Date(),
  positions: null,
};
const HOST = { name: 'mx.example.com', preference: 10, addresses: ['192.0.2.1'] };
const ACCEPTED: ProbeOutcome = { kind: 'facts', facts: probeFacts() };
const BUSY: ProbeOutcome = { kind: 'unavailable', why: 'limits', busy: true };
const LEFT_ALONE: ProbeOutcome = {
  kind: 'facts',
  facts: probeFacts({ stage: 'none', ending: 'backed_off', class: null, code: null, rule: null }),
};
const BROKEN: ProbeOutcome = { kind: 'unavailable', why: 'the proxy is down' };
const NEVER = new AbortController().signal;

interface World {
  readonly turn?: Partial<ChunkTurn>;
  readonly claim?: Claim;
  readonly entries?: number;
  readonly answer?: (local: string) => ProbeOutcome;
  readonly catchAlls?: (wave: number) => readonly string[];
  readonly released?: QueuedChunk;
  /** Its last outcome ends it. */
  readonly ends?: boolean;
  /** Domains in it that refused a random recipient. */
  readonly refusedRandom?: readonly string[];
  /** When it is finished, entries turn out to be open. */
  readonly isLeft?: boolean;
  /** Another worker ended the chunk. */
  readonly gone?: boolean;
  readonly onProbe?: () => void;
}

function service(world: World) {
  const { answer = () => ACCEPTED, entries = 4, catchAlls = () => [] } = world;
  const turn = { ...TURN, ...world.turn };
  let open = Array.from({ length: entries }, (_, position) => ({ position, sent: `a${position}@example.com` }));
  const log = {
    asked: [] as string[][],
    withRandom: [] as (boolean | undefined)[],
    stored: [] as Findings[],
    postponed: [] as { afterMs: number; failures: number }[],
    finished: [] as ({ readonly why: string } | null)[],
    retries: [] as Retry[],
    greylisting: [] as string[],
    movedAs: [] as ChunkTurn['kind'][],
    queued: [] as QueuedChunk[],
    results: [] as string[],
    endings: [] as ChunkEnding[],
  };
  let done = 0;
  let wave = 0;
  const settle = (positions: readonly number[]): void => {
    open = open.filter(({ position }) => !positions.includes(position));
    done += positions.length;
  };
  const chunks = new ChunkService(
    only({
      claim: async () => world.claim ?? { kind: 'held', turn },
      renew: async () => undefined,
      entries: async () => open,
      refusedRandom: async () => new Set(world.refusedRandom),
      postpone: async (_, afterMs, failures) => void log.postponed.push({ afterMs, failures }),
    }),
    only({
      moveToLater: async (_, kind, retries) => {
        log.movedAs.push(kind);
        log.retries.push(...retries);
        return [{ jobId: 'job', number: 99, priority: 7, delayMs: 1000 }];
      },
      finish: async (_, failure) => {
        log.finished.push(failure);
        return { left: world.isLeft === true, released: world.released ?? null };
      },
    }),
    only({
      storeForChunk: async (_, __, findings) => {
        if (world.gone) return null;
        log.stored.push(findings);
        settle(findings.outcomes.flatMap(({ positions }) => positions));
        return { written: new Map(), done, isEnded: world.ends === true && open.length === 0 };
      },
    }),
    only({
      queueChunks: (queued) => void log.queued.push(...queued),
      queueResultWriting: (jobId) => void log.results.push(jobId),
    }),
    only({ lookUp: async (targets) => targets.map(() => ({ check: null, stale: false })) }),
    only({ findCatchAlls: async () => new Map(catchAlls(wave++).map((domain) => [domain, new Date()])) }),
    only({ note: (domains) => void log.greylisting.push(...domains) }),
    only({
      mailHosts: {
        findMailHosts: async () => ({
          kind: 'found',
          hosts: [HOST],
          exchanges: [HOST.name],
          primary: HOST.name,
          ttlSeconds: 60,
        }),
      },
      bulk: {
        probe: async ({ domains, onOutcome }: BulkProbeRequest) => {
          const recipients = domains.flatMap((domain) => domain.recipients);
          log.asked.push(recipients.map(({ address }) => address.localPart));
          log.withRandom.push(...domains.map(({ randomRecipient }) => randomRecipient));
          world.onProbe?.();
          for (const { index, address } of recipients) onOutcome(index, answer(address.localPart));
        },
      },
      knowledge: knowledgeWith(),
    }),
    only({ hashes: (address) => ['hash of ' + canonicalAddress(address)] }),
    only({
      worker: { queues: [], concurrency: 1 },
      probes: { here: true, deadlineMs: 1000, greylistRetryMs: 1000 },
    }),
    only({ onRun: (ending) => void log.endings.push(ending), onEntries: () => undefined }),
    () => 0,
  );
  return { log, run: (stop = NEVER) => chunks.runChunk('job', 3, stop) };
}
const positions = ({ stored }: ReturnType<typeof service>['log']) =>
  stored.flatMap(({ outcomes }) => outcomes.flatMap((outcome) => outcome.positions)).toSorted((a, b) => a - b);

describe('a chunk', () => {
  // Delays count from answers, so exact values need a frozen clock.
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is probed, completed, and releases the next chunk of its group', async () => {
    const released = { jobId: 'job', number: 8, priority: 9 };
    const { run, log } = service({ released });
    expect(await run()).toEqual({ kind: 'over' });
    expect(positions(log)).toEqual([0, 1, 2, 3]);
    expect(log).toMatchObject({ finished: [null], queued: [released], endings: ['done'], postponed: [], results: [] });
  });

  it('may end with its last outcomes', async () => {
    const { run, log } = service({ ends: true });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log).toMatchObject({ finished: [], endings: ['done'] });
  });

  it('queues result writing if it completes the last entries of the job', async () => {
    const { run, log } = service({ turn: { total: 4 } });
    await run();
    expect(log.results).toEqual(['job']);
  });

  it.each<[string, Claim, unknown]>([
    ['is done', { kind: 'over' }, { kind: 'over' }],
    ['somebody else holds', { kind: 'later', afterMs: 1234 }, { kind: 'again', afterMs: 1234 }],
  ])('is left alone that %s', async (_, claim, ending) => {
    const { run, log } = service({ claim });
    expect(await run()).toEqual(ending);
    expect(log).toMatchObject({ asked: [], stored: [], postponed: [] });
  });

  it('is probed in waves, and each wave looks up its domains again', async () => {
    const { run, log } = service({ entries: 250, catchAlls: (wave) => (wave > 1 ? ['example.com'] : []) });
    await run();
    expect(log.asked.map(({ length }) => length)).toEqual([100, 100]);
    expect(positions(log)).toHaveLength(250);
    expect(log.finished).toEqual([null]);
  });

  it('yields to other chunks after a minute, between two waves', async () => {
    const { run, log } = service({ entries: 250, onProbe: () => jest.advanceTimersByTime(60_001) });
    expect(await run()).toEqual({ kind: 'again', afterMs: 0 });
    expect(positions(log)).toHaveLength(100);
    expect(log).toMatchObject({ asked: { length: 1 }, endings: ['long'], finished: [] });
  });

  it('runs again at once if it has open entries after all', async () => {
    const { run, log } = service({ isLeft: true, turn: { failures: 2 } });
    expect(await run()).toEqual({ kind: 'again', afterMs: 0 });
    expect(log).toMatchObject({ finished: [null], endings: [], postponed: [{ afterMs: 0, failures: 2 }] });
  });

  it('asks no domain for a random recipient again in enhanced mode, and none in standard mode', async () => {
    const asked = async (turn: Partial<ChunkTurn>, refusedRandom: readonly string[]) => {
      const { run, log } = service({ turn, refusedRandom });
      await run();
      return log.withRandom;
    };
    expect(await asked({ mode: 'enhanced' }, [])).toEqual([true]);
    expect(await asked({ mode: 'enhanced' }, ['example.com'])).toEqual([false]);
    expect(await asked({ mode: 'standard' }, [])).toEqual([false]);
  });

  it('runs again later with the open entries if our own limits were full', async () => {
    const { run, log } = service({ entries: 250, answer: (local) => (local === 'a7' ? BUSY : ACCEPTED) });
    expect(await run()).toEqual({ kind: 'again', afterMs: 5000 });
    // A wave that meets our limits ends the run: no second wave probes the same hosts.
    expect(log.asked).toHaveLength(1);
    expect(positions(log)).toHaveLength(99);
    expect(log).toMatchObject({ finished: [], postponed: [{ afterMs: 5000, failures: 0 }], endings: ['busy'] });
  });

  it('moves entries with backed-off mail hosts to a new chunk, and does not delay the others', async () => {
    const { run, log } = service({ entries: 250, answer: (local) => (local === 'a7' ? LEFT_ALONE : ACCEPTED) });
    expect(await run()).toEqual({ kind: 'over' });
    expect(positions(log)).toHaveLength(249);
    expect(log.retries).toMatchObject([{ target: { positions: [7] }, afterMs: 60_000, egress: null }]);
    // One that has not been greylisted yet may be later.
    expect(log).toMatchObject({
      movedAs: ['first'],
      greylisting: [],
      finished: [null],
      queued: [{ number: 99 }],
      postponed: [],
    });
  });

  it('runs again in a minute if all of its mail hosts are backed off, however often', async () => {
    const { run, log } = service({ turn: { failures: 4 }, answer: () => LEFT_ALONE });
    expect(await run()).toEqual({ kind: 'again', afterMs: 60_000 });
    expect(positions(log)).toEqual([]);
    expect(log).toMatchObject({
      retries: [],
      postponed: [{ afterMs: 60_000, failures: 4 }],
      endings: ['left_alone'],
      finished: [],
    });
  });

  it('moves greylisted entries to a new chunk, and is done', async () => {
    const greylisted: ProbeOutcome = { kind: 'facts', facts: refusal('greylisted', 451, 'us') };
    const { run, log } = service({ answer: (local) => (local === 'a2' ? greylisted : ACCEPTED) });
    await run();
    expect(positions(log)).toEqual([0, 1, 3]);
    expect(log.retries).toMatchObject([{ target: { positions: [2] }, afterMs: 1000 }]);
    expect(log).toMatchObject({ movedAs: ['retry'], greylisting: ['example.com'], finished: [null] });
    expect(log.queued).toEqual([{ jobId: 'job', number: 99, priority: 7, delayMs: 1000 }]);
    expect(log.stored.flatMap(({ checks }) => checks)).toHaveLength(1);
  });

  it('is retried if our own fault prevents progress, and then refunded', async () => {
    const first = service({ answer: () => BROKEN });
    expect(await first.run()).toEqual({ kind: 'again', afterMs: 2000 });
    expect(first.log).toMatchObject({ postponed: [{ failures: 1 }], stored: [] });
    const last = service({ answer: () => BROKEN, turn: { failures: 4 } });
    expect(await last.run()).toEqual({ kind: 'over' });
    expect(last.log.stored).toEqual([{ outcomes: [{ kind: 'unavailable', positions: [0, 1, 2, 3] }], checks: [] }]);
    expect(last.log).toMatchObject({ finished: [{ why: expect.stringContaining('our own fault') as string }] });
    expect(last.log.endings).toEqual(['given_up']);
  });

  it('is refunded without another try if its processes keep dying', async () => {
    const { run, log } = service({ entries: 1203, turn: { begunBefore: 5 } });
    expect(await run()).toEqual({ kind: 'over' });
    expect(log.asked).toEqual([]);
    expect(positions(log)).toEqual(Array.from({ length: 1203 }, (_, position) => position));
    expect(log.finished).toMatchObject([{ why: expect.stringContaining('5 runs') as string }]);
  });

  it('is left to other processes at shutdown, with its outcomes stored', async () => {
    const stop = new AbortController();
    const { run, log } = service({
      entries: 250,
      onProbe: () => stop.abort(),
      answer: (local) => (local === 'a1' ? BROKEN : ACCEPTED),
      turn: { failures: 2 },
    });
    expect(await run(stop.signal)).toEqual({ kind: 'again', afterMs: 0 });
    expect(log.asked).toHaveLength(1);
    expect(positions(log)).toHaveLength(99);
    expect(log).toMatchObject({ postponed: [{ afterMs: 0, failures: 2 }], endings: ['stopped'], finished: [] });
  });

  it('is dropped if another process ended it', async () => {
    const { run, log } = service({ entries: 250, gone: true });
    await run();
    expect(log.asked).toHaveLength(1);
    expect(log.finished).toEqual([]);
  });
});
