import type { BulkProber } from '../../engine/smtp/bulk/bulk-prober.js';
import type { FirstBatches } from '../../engine/smtp/bulk/first-batches.js';
import type { MailHostFacts } from '../../engine/check.js';
import type { ProbeFacts, ProbeOutcome } from '../../engine/smtp/prober.js';
import { BeforeProbe, type BeforeProbeParts } from '../outcomes/before-probe.js';
import type { ChunkTurn } from './chunk-turns.repository.js';
import type { Retry } from '../outcomes/outcome.js';
import type { OutcomeBuffer } from '../outcomes/outcome-buffer.js';
import { askMailHosts } from '../../verify/bulk/ask-mail-hosts.js';
import { isBackedOff } from '../../verify/bulk/backed-off.js';
import type { DomainToAsk } from '../../verify/bulk/settle-by-dns.js';
import { addressOf, type Known, type Settled, type OutcomeRules } from '../outcomes/outcome-rules.js';
import type { Target } from '../outcomes/targets.js';
import type { SharedPermits } from './shared-permits.js';
import { WavePermits } from './wave-permits.js';

export interface ProbeWaveParts extends BeforeProbeParts {
  readonly bulk: BulkProber;
  /** Has `PERMITS_OF_WAVE` for each of a few waves: while they probe, others read and write the database. */
  readonly permits: Pick<SharedPermits, 'take' | 'release'>;
  /** Time budget for one address, milliseconds; a wave with several addresses gets more. */
  readonly deadlineMs: number;
}

export interface ProbeWaveSetting {
  readonly turn: ChunkTurn;
  readonly rules: OutcomeRules;
  readonly buffer: Pick<OutcomeBuffer, 'add' | 'addCheck'>;
  /** Domains in the chunk that refused a random recipient: they are not probed with another one. */
  readonly refusedRandom: Set<string>;
  /** What is known of the job's list. */
  readonly list: FirstBatches;
  /** Aborts at shutdown, or if outcomes cannot be stored. */
  readonly stop: AbortSignal;
}

/** Counts of addresses after a wave. */
export interface ProbeWaveEnd {
  /** With an outcome, or greylisted. */
  readonly settled: number;
  /** The delays of hosts count from their answers, so ask for it when the retries are stored. */
  readonly retriesFromNow: () => readonly Retry[];
  /** Addresses whose mail hosts refused us and are paused. */
  readonly backedOff: readonly Target[];
  /** Left open because of our own limits for their mail hosts. */
  readonly busy: number;
  /** Milliseconds until these limits allow more, if known. */
  readonly freeInMs: number | null;
  /** Left open because of our own failure, or lack of time. */
  readonly failed: number;
}

const DOMAINS_AT_ONCE = 10;

/** Processes some addresses of a chunk in one pass: checks on record, DNS, mail hosts. */
export class ProbeWave {
  private settled = 0;
  private busy = 0;
  private freeInMs = Number.POSITIVE_INFINITY;
  private readonly backedOff: Target[] = [];
  private readonly retries: { readonly retry: Retry; readonly answeredAt: number }[] = [];

  constructor(
    private readonly parts: ProbeWaveParts,
    private readonly setting: ProbeWaveSetting,
  ) {}

  /** Never rejects because of a name server or mail host. */
  async probeAddresses(targets: readonly Target[]): Promise<ProbeWaveEnd> {
    const { turn, rules, stop } = this.setting;
    const { mode, kind: chunk, arrivedAt, accountId: requester } = turn;
    const onSettled = (settled: Settled): void => this.take(settled);
    const terms = { mode, chunk, arrivedAt, rules, requester, concurrency: DOMAINS_AT_ONCE, stop, onSettled };
    const before = new BeforeProbe(this.parts, terms);
    const { toAsk } = await before.settleByDns(await before.settleFromRecord(targets));
    if (toAsk.length > 0 && !stop.aborted) await this.ask(toAsk);
    const { settled, busy, backedOff } = this;
    const failed = targets.length - settled - busy - backedOff.length;
    const freeInMs = Number.isFinite(this.freeInMs) ? this.freeInMs : null;
    return { settled, busy, freeInMs, retriesFromNow: () => this.retriesFromNow(), backedOff, failed };
  }

  /** Subtracts the time since the answers: of the rest of the wave, and of what came after it. */
  private retriesFromNow(): Retry[] {
    const now = performance.now();
    return this.retries.map(({ retry, answeredAt }) => ({
      ...retry,
      afterMs: Math.max(0, Math.ceil(retry.afterMs - (now - answeredAt))),
    }));
  }

  private async ask(toAsk: readonly DomainToAsk<Known>[]): Promise<void> {
    const recipients = toAsk.map(({ targets }) => targets.length);
    const permits = new WavePermits(recipients, this.parts.permits);
    await new Promise<void>((resolve) => permits.begin(resolve));
    const { turn, stop, list, refusedRandom } = this.setting;
    const { bulk, deadlineMs } = this.parts;
    try {
      // Asks nobody if the wave was stopped while it waited for a permit.
      await askMailHosts(toAsk, {
        bulk,
        deadlineMs,
        stop,
        addressOf,
        egress: turn.egress,
        asksRandom: (domain) => turn.mode === 'enhanced' && !refusedRandom.has(domain),
        requester: turn.accountId,
        list,
        connections: permits,
        onOutcome: (known, mailHosts, outcome, nth) => {
          this.onOutcome(known, mailHosts, outcome);
          permits.settle(nth);
        },
      });
    } finally {
      permits.end();
    }
  }

  private onOutcome(known: Known, mailHosts: MailHostFacts, outcome: ProbeOutcome): void {
    if (outcome.kind === 'unavailable') {
      if (outcome.busy === true) this.busy += 1;
      this.freeInMs = Math.min(this.freeInMs, outcome.freeInMs ?? Number.POSITIVE_INFINITY);
      return;
    }
    const { facts } = outcome;
    if (isBackedOff(facts)) {
      this.backedOff.push(known.target);
      return;
    }
    const { domain } = known.target.address;
    // A 252 is judged by the random recipient in the same check, so its domain is probed with one each time.
    if (facts.random === 'refused' && facts.code !== 252) this.setting.refusedRandom.add(domain);
    this.take(this.setting.rules.byProbe(known, mailHosts, this.withRandom(facts, domain)));
  }

  /** Copies a recent refusal of a random recipient to other addresses: it holds for the whole domain. */
  private withRandom(facts: ProbeFacts, domain: string): ProbeFacts {
    const { turn, refusedRandom } = this.setting;
    const isAccepted = facts.ending === 'reply' && facts.class === 'accepted' && facts.random === 'not_asked';
    const holds = isAccepted && turn.mode === 'enhanced' && refusedRandom.has(domain);
    return holds ? { ...facts, random: 'refused' } : facts;
  }

  private take(settled: Settled): void {
    this.settled += 1;
    const { buffer } = this.setting;
    if (settled.kind === 'outcome') {
      buffer.add(settled.outcome);
      return;
    }
    this.retries.push({ retry: settled.retry, answeredAt: performance.now() });
    if (settled.check !== null) buffer.addCheck(settled.check);
  }
}
