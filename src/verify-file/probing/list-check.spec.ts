import { setImmediate } from 'node:timers/promises';
import { silence, probeFacts, refusal } from '../../../test/factories/check-facts.js';
import { parseAddress } from '../../engine/address/parse-address.js';
import type { CheckFacts } from '../../engine/check.js';
import type { MailHostsFinding } from '../../engine/dns/mail-hosts.js';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import { NO_CURATED_LISTS } from '../../engine/signals/static-curated-lists.js';
import type { BulkProbeRequest } from '../../engine/smtp/bulk/bulk-prober.js';
import type { ProbeOutcome } from '../../engine/smtp/prober.js';
import type { LaterProbe } from '../../verify/bulk/retry-decision.js';
import { ListCheck, type ListCheckEnd } from './list-check.js';
import { SettlementRules } from './settlement.js';
import type { Target } from './target.js';

const knowledge = {
  lists: loadSignalLists(),
  curated: NO_CURATED_LISTS,
  findProvider: () => null,
  suggestCorrection: () => null,
};

const FOUND = (domain: string): MailHostsFinding => ({
  kind: 'found',
  hosts: [{ name: `mx.${domain}`, preference: 10, addresses: ['192.0.2.1'] }],
  exchanges: [`mx.${domain}`],
  primary: `mx.${domain}`,
  ttlSeconds: 300,
});

const facts = (probe: Parameters<typeof probeFacts>[0] = {}): ProbeOutcome => ({
  kind: 'facts',
  facts: probeFacts(probe),
});
const ACCEPTED = facts();
const BUSY: ProbeOutcome = { kind: 'unavailable', why: 'our limits are full', busy: true };
const BROKEN: ProbeOutcome = { kind: 'unavailable', why: 'the proxy is down' };
const PAUSED: ProbeOutcome = { kind: 'facts', facts: silence('backed_off', 'none') };
const GREYLISTED: ProbeOutcome = {
  kind: 'facts',
  facts: { ...refusal('greylisted', 451), retryAfterSeconds: 300, egress: 'first' },
};

function target(entry: number, domain = `company${entry}.example`): Target {
  const parsed = parseAddress(`lead${entry}@${domain}`);
  if (!parsed.ok) throw new Error('no address');
  return { entry, address: parsed.address, pauses: 0 };
}

interface Setting {
  /** The outcome of each question about an address, in turn; the last one stays. */
  readonly outcomes: readonly ProbeOutcome[];
  readonly targets?: readonly Target[];
  readonly retries?: readonly LaterProbe<Target>[];
  readonly find?: (domain: string) => MailHostsFinding;
  readonly onFacts?: () => void;
  /** Called while a chunk is asked about. */
  readonly during?: () => Promise<void>;
}

/** A check whose mail hosts answer at once, on a clock that the test moves. */
class CheckUnderTest {
  readonly asked: { readonly at: number; readonly entry: string; readonly egress: string | null }[] = [];
  readonly final: CheckFacts[] = [];
  givenUp = 0;
  end: ListCheckEnd | Error | null = null;
  readonly stop = new AbortController();
  private readonly turns = new Map<string, number>();
  private readonly start = performance.now();

  constructor({ outcomes, targets = [target(1)], retries = [], find = FOUND, onFacts, during }: Setting) {
    const probe = async ({ domains, onOutcome }: BulkProbeRequest): Promise<void> => {
      for (const { index, address, egress = null } of domains.flatMap(({ recipients }) => recipients)) {
        const turn = this.turns.get(address.text) ?? 0;
        this.turns.set(address.text, turn + 1);
        this.asked.push({ at: Math.round(performance.now() - this.start), entry: address.text, egress });
        onOutcome(index, outcomes[Math.min(turn, outcomes.length - 1)]!);
      }
      await during?.();
    };
    const check = new ListCheck(
      {
        engine: { mailHosts: { findMailHosts: async (domain) => find(domain) }, bulk: { probe } },
        findProvider: knowledge.findProvider,
        rules: new SettlementRules({ mode: 'standard', knowledge, greylistRetryMs: 900_000 }),
        randomRecipient: false,
        atOnce: 5,
        deadlineMs: 60_000,
        stop: this.stop.signal,
        onFacts: (_, found, isFinal) => {
          onFacts?.();
          if (isFinal) this.final.push(found);
        },
        onGivenUp: (some) => {
          this.givenUp += some.length;
        },
      },
      targets,
      retries,
    );
    void check.run().then(
      (end) => void (this.end = end),
      (error: Error) => void (this.end = error),
    );
  }

  get times(): number[] {
    return this.asked.map(({ at }) => at);
  }
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Lets time pass. Planning gives way to other work by `setImmediate`, which is a real one. */
async function pass(ms: number): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  await jest.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

describe('the check of a list', () => {
  it('asks about each address once, and ends', async () => {
    const check = new CheckUnderTest({
      outcomes: [ACCEPTED],
      targets: Array.from({ length: 250 }, (_, n) => target(n)),
    });
    await pass(1000);
    expect(check.end).toEqual({ kind: 'done' });
    expect(new Set(check.asked.map(({ entry }) => entry)).size).toBe(250);
    expect(check.asked).toHaveLength(250);
    expect(check.final).toHaveLength(250);
  });

  it('asks again five seconds after our own limits were full', async () => {
    const check = new CheckUnderTest({ outcomes: [BUSY, ACCEPTED] });
    await pass(6000);
    expect(check.times).toEqual([expect.any(Number), expect.any(Number)]);
    expect(check.times[1]! - check.times[0]!).toBeGreaterThanOrEqual(5000);
    expect(check.end).toEqual({ kind: 'done' });
  });

  it('asks once more through the same way out after a greylisting, when the host said', async () => {
    const check = new CheckUnderTest({ outcomes: [GREYLISTED] });
    await pass(300_000);
    expect(check.asked).toHaveLength(1);
    await pass(3000);
    expect(check.asked.map(({ egress }) => egress)).toEqual([null, 'first']);
    expect(check.final).toHaveLength(1);
    expect(check.end).toEqual({ kind: 'done' });
  });

  it('takes up the retry of an address that an earlier run found greylisted', async () => {
    const retries = [{ target: target(1), afterMs: 40_000, egress: 'first' }];
    const check = new CheckUnderTest({ outcomes: [ACCEPTED], targets: [], retries });
    await pass(39_000);
    expect(check.asked).toEqual([]);
    await pass(2000);
    expect(check.asked).toEqual([expect.objectContaining({ egress: 'first' })]);
    expect(check.end).toEqual({ kind: 'done' });
  });

  it('asks mail hosts that refused us every minute, for an hour', async () => {
    const check = new CheckUnderTest({ outcomes: [PAUSED] });
    await pass(59_000);
    expect(check.asked).toHaveLength(1);
    await pass(62 * 60_000);
    expect(check.asked).toHaveLength(61);
    expect(check.final).toHaveLength(1);
    expect(check.end).toEqual({ kind: 'done' });
  });

  it('tries again after two and after ten seconds where we failed ourselves, then gives up', async () => {
    const check = new CheckUnderTest({ outcomes: [BROKEN] });
    await pass(20_000);
    expect(check.asked).toHaveLength(3);
    expect(check.final).toEqual([]);
    expect(check.givenUp).toBe(1);
    expect(check.end).toEqual({ kind: 'done' });
  });

  it('asks again about a domain that the resolver could not look up', async () => {
    let tries = 0;
    const find = (domain: string): MailHostsFinding =>
      (tries += 1) <= 2 ? { kind: 'unavailable', why: 'no name server answers' } : FOUND(domain);
    const check = new CheckUnderTest({ outcomes: [ACCEPTED], find });
    await pass(20_000);
    expect(check.final).toHaveLength(1);
    expect(check.end).toEqual({ kind: 'done' });
  });

  it('stops when nothing gets through', async () => {
    const check = new CheckUnderTest({
      outcomes: [BROKEN],
      targets: Array.from({ length: 2000 }, (_, n) => target(n)),
    });
    await pass(60_000);
    expect(check.end).toEqual({ kind: 'stuck', why: 'the proxy is down' });
    expect(check.givenUp).toBeGreaterThanOrEqual(500);
    expect(check.givenUp).toBeLessThan(2000);
  });

  it('asks about no more than four chunks of one group of mail hosts at once', async () => {
    let [open, most] = [0, 0];
    const check = new CheckUnderTest({
      outcomes: [ACCEPTED],
      targets: Array.from({ length: 1000 }, (_, n) => target(n, 'company.example')),
      during: async () => {
        open += 1;
        most = Math.max(most, open);
        await setImmediate();
        open -= 1;
      },
    });
    await pass(1000);
    expect(check.asked).toHaveLength(1000);
    expect(most).toBe(4);
  });

  it('takes no answer after it was stopped, and waits for nothing', async () => {
    const check = new CheckUnderTest({ outcomes: [PAUSED] });
    await pass(1000);
    check.stop.abort();
    await pass(0);
    expect(check.end).toEqual({ kind: 'interrupted' });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends with the error of the caller that notes the answers, after the sessions in hand', async () => {
    const fault = new Error('no space is left');
    const check = new CheckUnderTest({
      outcomes: [ACCEPTED],
      targets: [target(1), target(2)],
      onFacts: () => {
        throw fault;
      },
    });
    await pass(1000);
    expect(check.end).toBe(fault);
    expect(check.asked.length).toBeGreaterThan(0);
  });
});
