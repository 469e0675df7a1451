import type { CheckFacts, MailHostFacts } from '../../engine/check.js';
import { mailHostFacts } from '../../engine/engine.js';
import type { BulkDomain } from '../../engine/smtp/bulk/bulk-prober.js';
import type { FirstBatches } from '../../engine/smtp/bulk/first-batches.js';
import type { ProbeOutcome } from '../../engine/smtp/prober.js';
import type { LaterProbe } from '../../verify/bulk/retry-decision.js';
import { EACH_MS, PATIENCE_MS } from '../../verify/bulk/wave-times.js';
import { lookUpDomains } from '../../verify/bulk/look-up-domains.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';
import type { RunningEngine } from '../../verify/engine/create-engine.js';
import type { SettlementRules } from './settlement.js';
import { groupByDomain, type Chunk, type Target } from './target.js';

export interface ChunkRunParts {
  readonly engine: Pick<RunningEngine, 'mailHosts' | 'bulk'>;
  readonly rules: SettlementRules;
  /** Ask about a random recipient of each domain too (enhanced). */
  readonly randomRecipient: boolean;
  /** Time for one address, milliseconds; a chunk with several gets more. */
  readonly deadlineMs: number;
  readonly stop: AbortSignal;
  readonly onFacts: OnFacts;
  /** What is known of the list. */
  readonly list: FirstBatches;
}

/**
 * Called with what was found out about an address, at once.
 * @param isFinal false: it was greylisted, and is asked about once more
 */
export type OnFacts = (target: Target, facts: CheckFacts, isFinal: boolean) => void;

/** What is left of a chunk when it was asked about. */
export interface ChunkEnd {
  readonly settled: number;
  readonly retries: readonly LaterProbe<Target>[];
  readonly paused: readonly Target[];
  /** Left open because of our own limits for their mail hosts. */
  readonly busy: readonly Target[];
  /** Left open because of our own failure. */
  readonly failed: readonly Target[];
  /** The last failure. */
  readonly why: string;
}

const DOMAINS_AT_ONCE = 10;
/** Pauses of a minute: who refuses us for an hour is asked no more. */
const MOST_PAUSES = 60;

/** Asks about the addresses of one chunk: DNS, then mail hosts. */
export class ChunkRun {
  private readonly open: Set<Target>;
  private readonly retries: ChunkEnd['retries'][number][] = [];
  private readonly paused: Target[] = [];
  private readonly busy: Target[] = [];
  private why = 'time was short';

  constructor(
    private readonly parts: ChunkRunParts,
    private readonly chunk: Chunk,
  ) {
    this.open = new Set(chunk.targets);
  }

  /** Never rejects because of a name server or mail host. */
  async ask(): Promise<ChunkEnd> {
    const { stop } = this.parts;
    const asked: { target: Target; mailHosts: MailHostFacts }[] = [];
    const domains = await this.lookUp(asked);
    if (asked.length > 0 && !stop.aborted) {
      await withDeadline(this.parts.deadlineMs + EACH_MS * asked.length, stop, (deadline) =>
        this.parts.engine.bulk.probe({
          domains,
          deadline,
          patienceMs: PATIENCE_MS,
          list: this.parts.list,
          onOutcome: (index, outcome) => this.onOutcome(asked[index]!, outcome),
        }),
      );
    }
    const { retries, paused, busy, why } = this;
    const failed = [...this.open];
    const settled = this.chunk.targets.length - retries.length - paused.length - busy.length - failed.length;
    return { settled, retries, paused, busy, failed, why };
  }

  private async lookUp(asked: { target: Target; mailHosts: MailHostFacts }[]): Promise<BulkDomain[]> {
    const { engine, rules, stop, randomRecipient } = this.parts;
    const byDomain = groupByDomain(this.chunk.targets);
    const domains: BulkDomain[] = [];
    await lookUpDomains([...byDomain.keys()], {
      finder: engine.mailHosts,
      concurrency: DOMAINS_AT_ONCE,
      stop,
      onFound: (domain, finding) => {
        if (stop.aborted) return;
        if (finding.kind === 'unavailable') {
          this.why = finding.why;
          return;
        }
        const facts: CheckFacts = { mailHosts: mailHostFacts(finding), probe: null };
        const toAsk = byDomain.get(domain)!.filter((target) => {
          const isSettled = rules.sparesProbe(target.address, facts);
          if (isSettled) this.settle(target, facts, true);
          return !isSettled;
        });
        if (finding.kind !== 'found' || toAsk.length === 0) return;
        const recipients = toAsk.map((target) => {
          const index = asked.push({ target, mailHosts: facts.mailHosts! }) - 1;
          return { index, address: target.address, egress: this.chunk.egress };
        });
        domains.push({ domain, hosts: finding.hosts, recipients, randomRecipient });
      },
    });
    return domains;
  }

  private onOutcome(
    { target, mailHosts }: { readonly target: Target; readonly mailHosts: MailHostFacts },
    outcome: ProbeOutcome,
  ): void {
    // What a stop cut short is no answer.
    if (this.parts.stop.aborted) return;
    if (outcome.kind === 'unavailable') {
      if (outcome.busy === true) this.move(target, this.busy);
      else this.why = outcome.why;
      return;
    }
    const facts: CheckFacts = { mailHosts, probe: outcome.facts };
    const settlement = this.parts.rules.byProbe(facts, this.chunk.attempt);
    if (settlement.kind === 'paused' && target.pauses < MOST_PAUSES) {
      this.move({ ...target, pauses: target.pauses + 1 }, this.paused, target);
      return;
    }
    this.settle(target, facts, settlement.kind !== 'retry');
    if (settlement.kind === 'retry') this.retries.push({ target, ...settlement });
  }

  private settle(target: Target, facts: CheckFacts, isFinal: boolean): void {
    this.open.delete(target);
    this.parts.onFacts(target, facts, isFinal);
  }

  private move(target: Target, to: Target[], from = target): void {
    this.open.delete(from);
    to.push(target);
  }
}
