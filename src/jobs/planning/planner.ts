import { Injectable, Logger } from '@nestjs/common';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { AddressVault } from '../../verify/address-vault/address-vault.js';
import { EngineProvider } from '../../verify/engine/engine-provider.js';
import { DomainRecords } from '../../verify/lookup/domain-records.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import { JobBatchProducer } from '../job-batch.queue.js';
import { BeforeProbe } from '../outcomes/before-probe.js';
import { JobMetrics } from '../job-metrics.js';
import { ChecksOnRecord } from '../outcomes/checks-on-record.js';
import { JobEnder } from '../completion/job-ender.js';
import type { Retry } from '../outcomes/outcome.js';
import { OutcomeBuffer } from '../outcomes/outcome-buffer.js';
import { OutcomesRepository } from '../outcomes/outcomes.repository.js';
import { OPEN_OF_GROUP, planChunks, type DomainWork } from '../../verify/bulk/plan-chunks.js';
import { workAfterDns, type AfterDns } from '../../verify/bulk/settle-by-dns.js';
import { GreylistingDomains } from './greylisting-domains.js';
import { PlanRepository, type JobToPlan, type PlannedChunk } from './plan.repository.js';
import { retryChunks, type RetryChunk } from '../chunks/retry-chunks.js';
import { OutcomeRules, type Known, type Settled } from '../outcomes/outcome-rules.js';
import { readTargets, type Target } from '../outcomes/targets.js';

const MAX_BEGUN = 5;
/** Plans at once in a process: each holds ten thousand addresses in memory. */
const PLANS_AT_ONCE = 2;
const ANOTHER_PLAN_MS = 500;
/** Domains looked up at once. */
const DOMAINS_AT_ONCE = 50;
const LOOKED_AT_ONCE = 500;
const STORED_AT_ONCE = 500;

/**
 * Plans a job: stores outcomes that checks on record or the DNS decide, and splits the rest into chunks by mail host.
 * An interrupted plan starts again with the remaining entries.
 */
@Injectable()
export class Planner {
  private readonly logger = new Logger('Jobs');
  private running = 0;

  constructor(
    private readonly plans: PlanRepository,
    private readonly outcomes: OutcomesRepository,
    private readonly ender: JobEnder,
    private readonly queue: JobBatchProducer,
    private readonly record: ChecksOnRecord,
    private readonly catchAll: CatchAllRepository,
    private readonly greylisting: GreylistingDomains,
    private readonly records: DomainRecords,
    private readonly engine: EngineProvider,
    private readonly vault: AddressVault,
    private readonly config: AppConfig,
    private readonly metrics: JobMetrics,
  ) {}

  /** @param stop aborts at shutdown */
  async planJob(jobId: string, stop: AbortSignal): Promise<JobEnding> {
    if (this.running >= PLANS_AT_ONCE) return { kind: 'again', afterMs: ANOTHER_PLAN_MS };
    this.running += 1;
    try {
      return await this.begin(jobId, stop);
    } finally {
      this.running -= 1;
    }
  }

  private async begin(jobId: string, stop: AbortSignal): Promise<JobEnding> {
    const job = await this.plans.beginPlan(jobId);
    if (job === null) return OVER;
    if (job.begunBefore >= MAX_BEGUN) {
      await this.ender.endJob(jobId, `${job.begunBefore} plans were begun and none came to an end`);
      return OVER;
    }
    return (await this.plan(job, stop)) ? OVER : this.giveUp(jobId);
  }

  /** @returns false if it was interrupted */
  private async plan(job: JobToPlan, stop: AbortSignal): Promise<boolean> {
    const { plans, queue, record, catchAll, config } = this;
    const { knowledge, mailHosts: finder } = this.engine;
    const entries = await plans.entries(job.jobId);
    const { targets, unreadable } = await readTargets(entries, (address) => this.vault.hashes(address));
    await this.queueCrawls(job, targets);
    const { mode, arrivedAt } = job;
    const buffer = this.bufferFor(job, stop);
    if (unreadable.length > 0) buffer.add({ kind: 'unavailable', positions: unreadable });
    const retries: Retry[] = [];
    const { greylistRetryMs } = config.probes;
    const rules = new OutcomeRules({ mode, chunk: 'first', greylistRetryMs, knowledge });
    const before = new BeforeProbe(
      { record, catchAll, finder },
      {
        mode,
        arrivedAt,
        chunk: 'first',
        rules,
        requester: job.account,
        concurrency: DOMAINS_AT_ONCE,
        stop: buffer.stopped,
        onSettled: (settled: Settled) => {
          if (settled.kind === 'outcome') buffer.add(settled.outcome);
          else retries.push(settled.retry);
        },
      },
    );
    const after = await before.settleByDns(await before.settleFromRecord(targets));
    await buffer.drain();
    if (stop.aborted) return false;
    const greylisting = await this.greylisting.among(after.toAsk.map(({ domain }) => domain));
    const chunks = [...this.firstChunks(after, job, greylisting), ...retryChunks(retries).map(toPlannedChunk)];
    const plan = buffer.stopped.aborted ? null : await plans.commit(job, chunks);
    if (plan === null) return true;
    queue.queueChunks(plan.queued);
    if (plan.complete) queue.queueResultWriting(job.jobId);
    return true;
  }

  /** @param greylisting domains to begin with: their retries are due while others are probed */
  private firstChunks(after: AfterDns<Known>, { mode }: JobToPlan, greylisting: ReadonlySet<string>): PlannedChunk[] {
    // Chunks that probe at once in a process.
    const atOnce = this.config.worker.concurrency;
    const place = ({ domain }: DomainWork<Known>): number => (greylisting.has(domain) ? 0 : 1);
    const work = workAfterDns(after, this.engine.knowledge.findProvider);
    work.sort((one, other) => place(one) - place(other));
    return planChunks(work, { keepDomains: mode === 'enhanced', atOnce }).map(({ group, rank, targets }) => ({
      group,
      kind: 'first',
      delayMs: 0,
      egress: null,
      released: rank <= OPEN_OF_GROUP,
      positions: targets.flatMap(({ target }) => target.positions),
    }));
  }

  /** So that records can be ready when the results are written: a lookup also queues the domains for crawling. */
  private async queueCrawls({ account }: JobToPlan, targets: readonly Target[]): Promise<void> {
    const domains = [...new Set(targets.map(({ address }) => address.domain))];
    for (let from = 0; from < domains.length; from += LOOKED_AT_ONCE) {
      await this.records.lookUp(domains.slice(from, from + LOOKED_AT_ONCE), account);
    }
  }

  private bufferFor({ jobId }: JobToPlan, stop: AbortSignal): OutcomeBuffer {
    return new OutcomeBuffer({
      enough: STORED_AT_ONCE,
      stop,
      store: async (findings) => {
        const stored = await this.outcomes.storeForPlan(jobId, findings);
        for (const [source, entries] of stored?.written ?? []) this.metrics.onEntries(source, entries);
        return stored !== null;
      },
    });
  }

  private async giveUp(jobId: string): Promise<JobEnding> {
    this.logger.log({ verificationJob: jobId }, 'the plan of a job is left to other workers');
    await this.plans.abandonPlan(jobId);
    return { kind: 'again', afterMs: 0 };
  }
}

function toPlannedChunk(chunk: RetryChunk): PlannedChunk {
  return { ...chunk, group: null, kind: 'retry', released: true };
}
