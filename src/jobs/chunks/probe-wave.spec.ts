import { FOUND, probeFacts, refusal } from '../../../test/factories/check-facts.js';
import { knowledgeWith, targetOf } from '../../../test/factories/job-work.js';
import { FirstBatches } from '../../engine/smtp/bulk/first-batches.js';
import type { MailHostsFinding } from '../../engine/dns/mail-hosts.js';
import type { BulkProbeRequest } from '../../engine/smtp/bulk/bulk-prober.js';
import { DO_NOT_PROBE } from '../../engine/smtp/judge-recipient.js';
import type { ProbeFacts, ProbeOutcome } from '../../engine/smtp/prober.js';
import type { ChunkTurn } from './chunk-turns.repository.js';
import type { Outcome } from '../outcomes/outcome.js';
import { OutcomeRules } from '../outcomes/outcome-rules.js';
import { ProbeWave, type ProbeWaveSetting } from './probe-wave.js';
import { PERMITS_OF_WAVE } from './wave-permits.js';

const HOST = { name: 'mx.example.com', preference: 10, addresses: ['192.0.2.1'] };
const found: MailHostsFinding = {
  kind: 'found',
  hosts: [HOST],
  exchanges: ['mx.example.com'],
  primary: 'mx.example.com',
  ttlSeconds: 60,
};
const TURN: ChunkTurn = {
  jobId: 'job',
  accountId: 'account',
  number: 1,
  holder: 'holder',
  kind: 'first',
  priority: 1,
  egress: null,
  begunBefore: 0,
  failures: 0,
  mode: 'standard',
  total: 10,
  arrivedAt: new Date(),
  positions: null,
};
const facts = (over: Partial<ProbeFacts> = {}): ProbeOutcome => ({ kind: 'facts', facts: probeFacts(over) });

interface World {
  readonly turn?: Partial<ChunkTurn>;
  readonly refusedRandom?: readonly string[];
  /** By domain; other domains have a mail host. */
  readonly dns?: Readonly<Record<string, MailHostsFinding>>;
  /** By address. */
  readonly answers?: Readonly<Record<string, ProbeOutcome>>;
  /** Addresses that nobody answers for. */
  readonly unanswered?: readonly string[];
  readonly stopped?: boolean;
  /** The process stops before the wave has a permit. */
  readonly stopsWaiting?: boolean;
  /** Called when all have answered, before the wave ends. */
  readonly afterwards?: () => void;
}

async function run(emails: readonly string[], world: World) {
  const {
    turn = {},
    refusedRandom = [],
    dns = {},
    answers = {},
    unanswered = [],
    stopped,
    stopsWaiting,
    afterwards,
  } = world;
  const requests: BulkProbeRequest[] = [];
  const outcomes: Outcome[] = [];
  const checks: unknown[] = [];
  const own = { ...TURN, ...turn };
  const stop = new AbortController();
  const givenBack: number[] = [];
  if (stopped) stop.abort();
  const setting: ProbeWaveSetting = {
    turn: own,
    rules: new OutcomeRules({
      mode: own.mode,
      chunk: own.kind,
      greylistRetryMs: 1000,
      knowledge: knowledgeWith(),
    }),
    buffer: { add: (outcome) => void outcomes.push(outcome), addCheck: (check) => void checks.push(check) },
    refusedRandom: new Set(refusedRandom),
    list: new FirstBatches(),
    stop: stop.signal,
  };
  const end = await new ProbeWave(
    {
      record: { lookUp: async (targets) => targets.map(() => ({ check: null, stale: false })) },
      catchAll: { findCatchAlls: async () => new Map() },
      finder: { findMailHosts: async (domain) => dns[domain] ?? found },
      bulk: {
        probe: async (request) => {
          requests.push(request);
          for (const { recipients } of request.domains) {
            for (const { index, address } of recipients) {
              if (!unanswered.includes(address.text)) request.onOutcome(index, answers[address.text] ?? facts());
            }
          }
          afterwards?.();
        },
      },
      permits: {
        take: (_permits, _isBegun, onTaken) => {
          if (stopsWaiting) stop.abort();
          onTaken();
        },
        release: (permits) => void givenBack.push(permits),
      },
      deadlineMs: 1000,
    },
    setting,
  ).probeAddresses(emails.map((email, i) => targetOf(email, [i])));
  return { end, requests, outcomes, checks, setting, givenBack };
}
const positions = (outcomes: readonly Outcome[]) => outcomes.map((outcome) => outcome.positions[0]);

it('probes all recipients of its domains in one request, through the egress of the chunk', async () => {
  const emails = ['ann@a.test', 'bob@b.test', 'cid@a.test'];
  const { end, requests, outcomes } = await run(emails, { turn: { egress: 'socks/one' } });
  expect(requests).toHaveLength(1);
  expect(
    requests[0]!.domains.map(({ domain, recipients, randomRecipient }) => [
      domain,
      recipients.map(({ address, egress }) => `${address.text} ${egress}`),
      randomRecipient,
    ]),
  ).toEqual([
    ['a.test', ['ann@a.test socks/one', 'cid@a.test socks/one'], false],
    ['b.test', ['bob@b.test socks/one'], false],
  ]);
  expect(positions(outcomes)).toEqual([0, 2, 1]);
  expect(end).toMatchObject({ settled: 3, busy: 0, freeInMs: null, failed: 0, backedOff: [] });
  expect(end.retriesFromNow()).toEqual([]);
});

it('gives back the permits of a domain with its last outcome', async () => {
  const { givenBack } = await run(['ann@a.test', 'bob@b.test', 'cid@a.test'], {});
  expect(givenBack).toEqual([PERMITS_OF_WAVE / 2, PERMITS_OF_WAVE / 2]);
});

it('gives back the permits of a domain that was not answered for', async () => {
  const { end, givenBack } = await run(['ann@a.test', 'bob@b.test'], { unanswered: ['ann@a.test'] });
  expect(end).toMatchObject({ settled: 1, failed: 1 });
  expect(givenBack.reduce((sum, permits) => sum + permits)).toBe(PERMITS_OF_WAVE);
});

it('asks no mail host if the process stops before the wave has a permit', async () => {
  const { end, requests, givenBack } = await run(['ann@a.test'], { stopsWaiting: true });
  expect([requests, end.failed, givenBack]).toEqual([[], 1, [PERMITS_OF_WAVE]]);
});

it('says when the first of our own limits allows more', async () => {
  const busy = (freeInMs?: number): ProbeOutcome => ({ kind: 'unavailable', why: 'limits', busy: true, freeInMs });
  const answers = { 'ann@a.test': busy(3000), 'bob@b.test': busy(2000), 'cid@c.test': busy() };
  expect((await run(Object.keys(answers), { answers })).end).toMatchObject({ busy: 3, freeInMs: 2000 });
  expect((await run(['cid@c.test'], { answers })).end).toMatchObject({ busy: 1, freeInMs: null });
});

it('probes no host if the DNS settles the address', async () => {
  const dns = { 'a.test': { kind: 'none', why: 'nxdomain', ttlSeconds: 60 } } as const;
  const { end, requests, outcomes } = await run(['ann@a.test', 'info@b.test'], { dns });
  expect(requests).toEqual([]);
  expect(positions(outcomes)).toEqual([0, 1]);
  expect(end).toMatchObject({ settled: 2, failed: 0 });
});

it('reports the open entries and why they are open', async () => {
  const { end, outcomes } = await run(['ann@a.test', 'bob@a.test', 'cid@a.test', 'dot@lost.test'], {
    dns: { 'lost.test': { kind: 'unavailable', why: 'no answer' } },
    answers: {
      'bob@a.test': { kind: 'unavailable', why: 'limits', busy: true },
      'cid@a.test': { kind: 'unavailable', why: 'a proxy is down' },
    },
  });
  expect(positions(outcomes)).toEqual([0]);
  expect(end).toMatchObject({ settled: 1, busy: 1, failed: 2 });
});

it('leaves entries with backed-off hosts open, and settles entries on the do-not-probe list', async () => {
  const { end, outcomes, checks } = await run(['ann@a.test', 'bob@a.test', 'cid@a.test'], {
    answers: {
      'bob@a.test': facts({ stage: 'none', ending: 'backed_off', class: null, code: null, rule: null }),
      'cid@a.test': { kind: 'facts', facts: { ...probeFacts(), ...DO_NOT_PROBE } },
    },
  });
  expect(positions(outcomes)).toEqual([0, 2]);
  expect(end).toMatchObject({ settled: 2, failed: 0, backedOff: [{ positions: [1] }] });
  expect(checks).toEqual([]);
});

describe('a greylisted address', () => {
  const greylisted = { kind: 'facts', facts: refusal('greylisted', 451, 'us') } as const;
  const answers = { 'bob@a.test': greylisted };
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is returned for a retry, with its check to put on record', async () => {
    const { end, outcomes, checks } = await run(['ann@a.test', 'bob@a.test'], { answers });
    expect(positions(outcomes)).toEqual([0]);
    expect(end.settled).toBe(2);
    expect(end.retriesFromNow()).toMatchObject([{ afterMs: 1000, egress: 'direct' }]);
    expect(checks).toHaveLength(1);
  });

  it.each([
    [300, 700],
    [1200, 0],
  ])('has waited %d ms when others have taken so long: %d are left', async (lastMs, leftMs) => {
    const afterwards = (): void => jest.advanceTimersByTime(lastMs);
    const { end } = await run(['bob@a.test'], { answers, afterwards });
    expect(end.retriesFromNow()).toMatchObject([{ afterMs: leftMs }]);
  });

  it('goes on waiting while the outcomes of others are stored', async () => {
    const { end } = await run(['bob@a.test'], { answers });
    jest.advanceTimersByTime(200);
    expect(end.retriesFromNow()).toMatchObject([{ afterMs: 800 }]);
  });
});

it('probes nothing when the process stops', async () => {
  const { end, requests } = await run(['ann@a.test'], { stopped: true });
  expect(requests).toEqual([]);
  expect(end).toMatchObject({ settled: 0, failed: 1 });
});

describe('in enhanced mode', () => {
  const turn = { mode: 'enhanced' } as const;
  const random = (outcomes: readonly Outcome[]) =>
    outcomes.map((outcome) => (outcome.kind === 'facts' ? outcome.facts.facts.probe?.random : null));

  it('probes one random recipient per domain, and remembers the result', async () => {
    const { requests, setting } = await run(['ann@a.test', 'bob@b.test'], {
      turn,
      answers: { 'ann@a.test': facts({ random: 'refused' }), 'bob@b.test': facts({ random: 'accepted' }) },
    });
    expect(requests[0]!.domains.map(({ randomRecipient }) => randomRecipient)).toEqual([true, true]);
    expect([...setting.refusedRandom]).toEqual(['a.test']);
  });

  it('applies the result to addresses that are accepted later', async () => {
    const { requests, outcomes } = await run(['ann@a.test', 'bob@a.test'], {
      turn,
      refusedRandom: ['a.test'],
      answers: { 'bob@a.test': { kind: 'facts', facts: refusal('mailbox_not_found', 550) } },
    });
    expect(requests[0]!.domains.map(({ randomRecipient }) => randomRecipient)).toEqual([false]);
    expect(random(outcomes)).toEqual(['refused', 'not_asked']);
  });

  it('probes another random recipient at hosts that reply 252', async () => {
    const { setting } = await run(['ann@a.test'], {
      turn,
      answers: { 'ann@a.test': facts({ code: 252, random: 'refused' }) },
    });
    expect([...setting.refusedRandom]).toEqual([]);
  });
});

it('keeps the DNS facts beside those of the probe', async () => {
  const { outcomes } = await run(['ann@a.test'], {});
  expect(outcomes[0]).toMatchObject({ facts: { facts: { mailHosts: FOUND } } });
});
