import { Injectable, Logger, Optional } from '@nestjs/common';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import { AddressVault } from '../../verify/address-vault/address-vault.js';
import { EngineProvider } from '../../verify/engine/engine-provider.js';
import { JobBatchProducer } from '../job-batch.queue.js';
import { JobMetrics } from '../job-metrics.js';
import { ChecksOnRecord } from '../outcomes/checks-on-record.js';
import { ChunkEndingsRepository } from './chunk-endings.repository.js';
import { ChunkTurnsRepository, RENEW_EVERY_MS, type ChunkTurn } from './chunk-turns.repository.js';
import { BACKED_OFF_MS, nextTurn, type RunResult } from './next-turn.js';
import { GreylistingDomains } from '../planning/greylisting-domains.js';
import { OutcomeBuffer } from '../outcomes/outcome-buffer.js';
import { OutcomesRepository, type Stored } from '../outcomes/outcomes.repository.js';
import { OutcomeRules } from '../outcomes/outcome-rules.js';
import { readTargets, type Target } from '../outcomes/targets.js';
import { ListsOfJobs } from './lists-of-jobs.js';
import { ProbeWave, type ProbeWaveParts, type ProbeWaveSetting } from './probe-wave.js';
import { SharedPermits } from './shared-permits.js';
import { PERMITS_OF_WAVE } from './wave-permits.js';

const MAX_BEGUN = 5;
/** Recipients per wave. Each wave looks up again what is known about their domains. */
const WAVE = 100;
/** A chunk run that has taken this long yields to other chunks before its next wave. */
const LONGEST_RUN_MS = 60_000;
/** Outcomes per transaction when they arrive fast: one wave. */
const STORED_AT_ONCE = WAVE;
const REFUNDED_AT_ONCE = 500;

/** Executes chunk runs. */
@Injectable()
export class ChunkService {
  private readonly logger = new Logger('Jobs');
  private readonly waveParts: ProbeWaveParts;
  private readonly lists = new ListsOfJobs<string>();

  /** @param random between 0 and 1 */
  constructor(
    private readonly turns: ChunkTurnsRepository,
    private readonly endings: ChunkEndingsRepository,
    private readonly outcomes: OutcomesRepository,
    private readonly queue: JobBatchProducer,
    record: ChecksOnRecord,
    catchAll: CatchAllRepository,
    private readonly greylisting: GreylistingDomains,
    private readonly engine: EngineProvider,
    private readonly vault: AddressVault,
    private readonly config: AppConfig,
    private readonly metrics: JobMetrics,
    @Optional() private readonly random: () => number = Math.random,
  ) {
    const { mailHosts: finder, bulk } = engine;
    const permits = new SharedPermits(config.worker.concurrency * PERMITS_OF_WAVE);
    this.waveParts = { record, catchAll, finder, bulk, permits, deadlineMs: config.probes.deadlineMs };
  }

  /**
   * Runs a chunk, if it is due and no other run holds it.
   * @param stop aborts at shutdown: the run drops its open work, and another run resumes it
   */
  async runChunk(jobId: string, number: number, stop: AbortSignal): Promise<JobEnding> {
    const { turns } = this;
    const claim = await turns.claim(jobId, number);
    if (claim.kind === 'over') return OVER;
    if (claim.kind === 'later') return { kind: 'again', afterMs: claim.afterMs };
    const { turn } = claim;
    const renewal = setInterval(() => void turns.renew(turn).catch(() => undefined), RENEW_EVERY_MS);
    try {
      if (turn.begunBefore >= MAX_BEGUN) {
        return await this.giveUp(turn, `${turn.begunBefore} runs were begun and none came back`);
      }
      const { result, isEnded } = await this.work(turn, stop);
      if (!isEnded) return await this.conclude(turn, result);
      this.metrics.onRun('done');
      return OVER;
    } finally {
      clearInterval(renewal);
    }
  }

  /** @returns `isEnded`: the chunk has ended with its last outcomes */
  private async work(
    turn: ChunkTurn,
    stop: AbortSignal,
  ): Promise<{ readonly result: RunResult; readonly isEnded: boolean }> {
    const { turns, outcomes } = this;
    const { knowledge } = this.engine;
    const { greylistRetryMs } = this.config.probes;
    const { targets, unreadable } = await readTargets(await turns.entries(turn), (address) =>
      this.vault.hashes(address),
    );
    const { jobId, number, mode, kind: chunk } = turn;
    let isEnded = false;
    const buffer = new OutcomeBuffer({
      enough: STORED_AT_ONCE,
      stop,
      store: async (findings) => {
        const stored = await outcomes.storeForChunk(jobId, number, findings);
        // The job reached its age limit and ended.
        if (stored === null) return false;
        this.note(turn, stored);
        isEnded = stored.isEnded;
        return true;
      },
    });
    if (unreadable.length > 0) buffer.add({ kind: 'unavailable', positions: unreadable });
    const list = this.lists.begin(jobId);
    try {
      const rules = new OutcomeRules({ mode, chunk, greylistRetryMs, knowledge });
      const refusedRandom = mode === 'enhanced' ? await turns.refusedRandom(turn) : new Set<string>();
      const result = await this.waves(targets, {
        turn,
        rules,
        buffer,
        stop: buffer.stopped,
        refusedRandom,
        list,
      });
      return { result: { ...result, stopped: stop.aborted }, isEnded };
    } finally {
      this.lists.end(jobId);
      await buffer.drain();
    }
  }

  /** Runs waves until one leaves addresses open. */
  private async waves(
    targets: readonly Target[],
    setting: ProbeWaveSetting & { readonly buffer: OutcomeBuffer },
  ): Promise<Omit<RunResult, 'stopped'>> {
    const { endings, queue } = this;
    const until = performance.now() + LONGEST_RUN_MS;
    let [settled, busy, failed] = [0, 0, 0];
    let freeInMs: number | null = null;
    const backedOff: Target[] = [];
    for (let from = 0; from < targets.length && busy + failed === 0; from += WAVE) {
      if (setting.stop.aborted || (from > 0 && performance.now() > until)) break;
      const wave = await new ProbeWave(this.waveParts, setting).probeAddresses(targets.slice(from, from + WAVE));
      await setting.buffer.drain();
      const retries = wave.retriesFromNow();
      if (retries.length > 0) {
        queue.queueChunks(await endings.moveToLater(setting.turn, 'retry', retries));
        this.greylisting.note(retries.map(({ target }) => target.address.domain));
      }
      settled += wave.settled;
      backedOff.push(...wave.backedOff);
      ({ busy, freeInMs, failed } = wave);
    }
    if (backedOff.length === 0 || backedOff.length === targets.length) {
      return { settled, busy, freeInMs, backedOff: backedOff.length, failed, left: targets.length - settled };
    }
    await this.moveBackedOff(setting.turn, backedOff);
    settled += backedOff.length;
    return { settled, busy, freeInMs, backedOff: 0, failed, left: targets.length - settled };
  }

  /**
   * Moves addresses with paused mail hosts to a later chunk, so that neither this chunk nor the next one waits for
   * them.
   */
  private async moveBackedOff(turn: ChunkTurn, targets: readonly Target[]): Promise<void> {
    const { endings, queue } = this;
    const later = targets.map((target) => ({ target, afterMs: BACKED_OFF_MS, egress: turn.egress }));
    queue.queueChunks(await endings.moveToLater(turn, turn.kind, later));
  }

  private note({ jobId, total }: ChunkTurn, { written, done }: Stored): void {
    for (const [source, entries] of written) this.metrics.onEntries(source, entries);
    if (done >= total) this.queue.queueResultWriting(jobId);
  }

  private async conclude(turn: ChunkTurn, result: RunResult): Promise<JobEnding> {
    const next = nextTurn(result, turn.failures, this.random());
    if (next.kind === 'given_up')
      return this.giveUp(turn, 'its mail hosts could not be probed because of our own faults');
    if (next.kind === 'done') return this.finish(turn, null);
    this.metrics.onRun(next.why);
    await this.turns.postpone(turn, next.afterMs, next.failures);
    return { kind: 'again', afterMs: next.afterMs };
  }

  private async finish(turn: ChunkTurn, failure: { readonly why: string } | null): Promise<JobEnding> {
    const { left, released } = await this.endings.finish(turn, failure);
    if (released !== null) this.queue.queueChunks([released]);
    if (!left) {
      this.metrics.onRun(failure === null ? 'done' : 'given_up');
      return OVER;
    }
    await this.turns.postpone(turn, 0, turn.failures);
    return { kind: 'again', afterMs: 0 };
  }

  /** Ends the open entries of the chunk without a verdict, and refunds them. */
  private async giveUp(turn: ChunkTurn, why: string): Promise<JobEnding> {
    const { jobId, number } = turn;
    this.logger.warn({ why, verificationJob: jobId, chunk: number }, 'addresses of a job end without a verdict');
    const positions = (await this.turns.entries(turn)).map(({ position }) => position);
    for (let from = 0; from < positions.length; from += REFUNDED_AT_ONCE) {
      const some = positions.slice(from, from + REFUNDED_AT_ONCE);
      const findings = { outcomes: [{ kind: 'unavailable', positions: some } as const], checks: [] };
      const stored = await this.outcomes.storeForChunk(jobId, number, findings);
      if (stored !== null) this.note(turn, stored);
    }
    return this.finish(turn, { why });
  }
}
