import type { BulkDomain, BulkProber } from '../../engine/smtp/bulk/bulk-prober.js';
import type { MailHostFacts } from '../../engine/check.js';
import type { ProbeFacts, ProbeOutcome } from '../../engine/smtp/prober.js';
import type { BoundedSemaphore } from '../../platform/scheduling/bounded-semaphore.js';
import { BeforeProbe, type BeforeProbeParts, type DomainToAsk } from '../outcomes/before-probe.js';
import type { ChunkTurn } from './chunk-turns.repository.js';
import type { Retry } from '../outcomes/outcome.js';
import type { OutcomeBuffer } from '../outcomes/outcome-buffer.js';
import { isLeftAlone } from './left-alone.js';
import type { Known, Settled, OutcomeRules } from '../outcomes/outcome-rules.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';
import type { Target } from '../outcomes/targets.js';

export interface ProbeWaveParts extends BeforeProbeParts {
  readonly bulk: BulkProber;
  /** Lets a few in at a time: while they ask, others read what they are about to ask, and store what they have heard. */
  readonly semaphore: Pick<BoundedSemaphore, 'run'>;
  /** Budget of the check of one address, milliseconds; many have more. */
  readonly deadlineMs: number;
}

export interface ProbeWaveSetting {
  readonly turn: ChunkTurn;
  readonly settling: OutcomeRules;
  readonly buffer: Pick<OutcomeBuffer, 'add' | 'addCheck'>;
  /** Domains of the chunk that tell recipients apart: a random one is not asked about again. */
  readonly tellsApart: Set<string>;
  /** Aborted when the process stops, or what is found out cannot be stored. */
  readonly stop: AbortSignal;
}

/** What a wave came to, in addresses. */
export interface ProbeWaveEnd {
  /** With an outcome, or greylisted. */
  readonly settled: number;
  readonly retries: readonly Retry[];
  /** Whose mail hosts are left alone, because they refused us. */
  readonly leftAlone: readonly Target[];
  /** Left for our own limits towards their mail hosts. */
  readonly busy: number;
  /** Left for a failure on our side, or for want of time. */
  readonly failed: number;
}

/** Who waits in line at a host that has enough of us keeps others from theirs. */
const PATIENCE_MS = 3000;
/** Added for each recipient: some hosts take so long for it. */
const EACH_MS = 500;
const DOMAINS_AT_ONCE = 10;

/** Some addresses of a chunk, taken as far as they come in one go: record, DNS, mail hosts. */
export class ProbeWave {
  private settled = 0;
  private busy = 0;
  private readonly leftAlone: Target[] = [];
  private readonly retries: { readonly retry: Retry; readonly heardAt: number }[] = [];

  constructor(
    private readonly parts: ProbeWaveParts,
    private readonly setting: ProbeWaveSetting,
  ) {}

  /** Never rejects for anything a name server or mail host does. */
  async run(targets: readonly Target[]): Promise<ProbeWaveEnd> {
    const { turn, settling, stop } = this.setting;
    const { mode, kind: chunk, arrivedAt } = turn;
    const onSettled = (settled: Settled): void => this.take(settled);
    const terms = { mode, chunk, arrivedAt, settling, concurrency: DOMAINS_AT_ONCE, stop, onSettled };
    const before = new BeforeProbe(this.parts, terms);
    const { toAsk } = await before.lookAtDns(await before.lookAtRecord(targets));
    if (toAsk.length > 0 && !stop.aborted) await this.parts.semaphore.run(() => this.ask(toAsk));
    const { settled, busy, leftAlone } = this;
    const failed = targets.length - settled - busy - leftAlone.length;
    return { settled, busy, retries: this.retriesFromNow(), leftAlone, failed };
  }

  /** What a host asked for counts from its answer; others of the wave may have taken their time since. */
  private retriesFromNow(): Retry[] {
    const now = performance.now();
    return this.retries.map(({ retry, heardAt }) => ({
      ...retry,
      afterMs: Math.max(0, Math.ceil(retry.afterMs - (now - heardAt))),
    }));
  }

  private async ask(toAsk: readonly DomainToAsk[]): Promise<void> {
    const { turn, stop } = this.setting;
    // It may have waited for its turn.
    if (stop.aborted) return;
    const asked = toAsk.flatMap(({ known, mailHosts }) => known.map((one) => ({ known: one, mailHosts })));
    let index = 0;
    const domains = toAsk.map(({ domain, hosts, known }): BulkDomain => {
      const recipients = known.map(({ target }) => ({ index: index++, address: target.address, egress: turn.egress }));
      const randomRecipient = turn.mode === 'enhanced' && !this.setting.tellsApart.has(domain);
      return { domain, hosts, recipients, randomRecipient };
    });
    await withDeadline(this.parts.deadlineMs + EACH_MS * asked.length, stop, (deadline) =>
      this.parts.bulk.probe({
        domains,
        deadline,
        patienceMs: PATIENCE_MS,
        requester: turn.accountId,
        onOutcome: (i, outcome) => this.hear(asked[i]!.known, asked[i]!.mailHosts, outcome),
      }),
    );
  }

  private hear(known: Known, mailHosts: MailHostFacts, outcome: ProbeOutcome): void {
    if (outcome.kind === 'unavailable') {
      if (outcome.busy === true) this.busy += 1;
      return;
    }
    const { facts } = outcome;
    if (isLeftAlone(facts)) {
      this.leftAlone.push(known.target);
      return;
    }
    const { domain } = known.target.address;
    // What a 252 means depends on the random recipient in the same check: there it is asked about each time.
    if (facts.random === 'refused' && facts.code !== 252) this.setting.tellsApart.add(domain);
    this.take(this.setting.settling.byProbe(known, mailHosts, this.withRandom(facts, domain)));
  }

  /** A random recipient of the domain was refused, a moment ago: that holds for all of it. */
  private withRandom(facts: ProbeFacts, domain: string): ProbeFacts {
    const { turn, tellsApart } = this.setting;
    const isAccepted = facts.ending === 'reply' && facts.class === 'accepted' && facts.random === 'not_asked';
    const holds = isAccepted && turn.mode === 'enhanced' && tellsApart.has(domain);
    return holds ? { ...facts, random: 'refused' } : facts;
  }

  private take(settled: Settled): void {
    this.settled += 1;
    const { buffer } = this.setting;
    if (settled.kind === 'outcome') {
      buffer.add(settled.outcome);
      return;
    }
    this.retries.push({ retry: settled.retry, heardAt: performance.now() });
    if (settled.check !== null) buffer.addCheck(settled.check);
  }
}
