import { FirstBatches } from '../../engine/smtp/bulk/first-batches.js';
import { stoppedWith } from '../../verify/bulk/stopped-with.js';
import type { LaterProbe } from '../../verify/bulk/retry-decision.js';
import { CHUNK_SIZE, OPEN_OF_GROUP } from '../../verify/bulk/plan-chunks.js';
import { groupBy } from '../../platform/collections/group-by.js';
import { askChunk, type AskChunkParts, type ChunkEnd } from './ask-chunk.js';
import type { OnFacts } from './look-up-targets.js';
import { planInWindows, type PlanParts } from './plan.js';
import type { Chunk, Target } from './target.js';
import { WaitingChunks } from './waiting-chunks.js';

export interface ListCheckParts extends Omit<PlanParts, 'keepDomains'>, Omit<AskChunkParts, 'list'> {
  readonly engine: AskChunkParts['engine'];
  /** Addresses that our own failure leaves without a verdict. */
  readonly onGivenUp: (targets: readonly Target[], why: string) => void;
}

export type ListCheckEnd =
  | { readonly kind: 'done' | 'interrupted' }
  /** Nothing gets through any more. */
  | { readonly kind: 'stuck'; readonly why: string };

/** Planned chunks kept ready. */
const MOST_READY = 500;
const BUSY_MS = 5000;
const PAUSED_MS = 60_000;
/** Delays after the first, second, … run in a row that achieved nothing; then the chunk is given up. */
const FAILED_MS = [2000, 10_000] as const;
/** So many addresses given up, and nothing answered in between: the rest would end the same way. */
const STUCK_AFTER = 500;

/** Asks about all addresses of a list, some chunks at once. */
export class ListCheck {
  private readonly waiting = new WaitingChunks(() => this.wake());
  private ready: Chunk[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly runningOfGroup = new Map<string, number>();
  private plan: AsyncGenerator<readonly Chunk[]> | null;
  private planning: Promise<void> | null = null;
  private wake: () => void = () => undefined;
  private givenUpInRow = 0;
  private readonly parts: ListCheckParts & AskChunkParts;
  /** Ends what runs when the check cannot go on. */
  private readonly cut = new AbortController();
  private stuck: string | null = null;
  private fault: { readonly error: unknown } | null = null;

  constructor(
    private readonly given: ListCheckParts,
    targets: Iterable<Target>,
    retries: readonly LaterProbe<Target>[],
  ) {
    const onFacts: OnFacts = (...found) => {
      // Called from the middle of an SMTP session, which must go on to its end.
      try {
        given.onFacts(...found);
      } catch (error) {
        this.fail(error);
      }
    };
    const parts = { ...given, onFacts, stop: stoppedWith(given.stop, this.cut.signal), list: new FirstBatches() };
    this.parts = parts;
    this.plan = planInWindows(targets, { ...parts, keepDomains: parts.randomRecipient });
    this.addRetries(retries, null);
  }

  /** Addresses that wait for a retry, or for mail hosts that are busy or refused us. */
  get addressesWaiting(): number {
    return this.waiting.addresses;
  }

  /** @throws what `onFacts` throws */
  async run(): Promise<ListCheckEnd> {
    const { stop } = this.parts;
    const onStop = (): void => this.wake();
    stop.addEventListener('abort', onStop);
    try {
      while (!this.parts.stop.aborted) {
        const change = new Promise<void>((resolve) => {
          this.wake = resolve;
        });
        this.startReady();
        if (this.running.size === 0 && this.planning === null && this.ready.length === 0 && this.waiting.isEmpty) break;
        await change;
      }
    } finally {
      stop.removeEventListener('abort', onStop);
      this.waiting.clear();
      await Promise.all([...this.running, this.planning]);
    }
    if (this.fault !== null) throw this.fault.error;
    if (this.stuck !== null) return { kind: 'stuck', why: this.stuck };
    return { kind: this.given.stop.aborted ? 'interrupted' : 'done' };
  }

  private fail(error: unknown): void {
    this.fault ??= { error };
    this.cut.abort();
  }

  private startReady(): void {
    this.ready.unshift(...this.waiting.takeDue());
    while (this.running.size < this.parts.atOnce) {
      const place = this.ready.findIndex(({ group }) => this.hasRoom(group));
      if (place === -1) break;
      const [chunk] = this.ready.splice(place, 1);
      this.start(chunk!);
    }
    const isShort = this.running.size < this.parts.atOnce || this.ready.length < this.parts.atOnce;
    if (isShort && this.ready.length < MOST_READY && this.plan !== null && this.planning === null) {
      this.planning = this.planNext(this.plan);
    }
  }

  private hasRoom(group: string | null): boolean {
    return group === null || (this.runningOfGroup.get(group) ?? 0) < OPEN_OF_GROUP;
  }

  private async planNext(plan: AsyncGenerator<readonly Chunk[]>): Promise<void> {
    try {
      const { done = false, value } = await plan.next();
      if (done) this.plan = null;
      else this.ready.push(...value);
    } catch (error) {
      this.fail(error);
    }
    this.planning = null;
    this.wake();
  }

  private start(chunk: Chunk): void {
    const { group } = chunk;
    const count = (by: number): void => {
      if (group !== null) this.runningOfGroup.set(group, (this.runningOfGroup.get(group) ?? 0) + by);
    };
    count(1);
    const run = askChunk(this.parts, chunk)
      .then(
        (end) => this.conclude(chunk, end),
        (error: unknown) => this.fail(error),
      )
      .finally(() => {
        count(-1);
        this.running.delete(run);
        this.wake();
      });
    this.running.add(run);
  }

  private conclude(chunk: Chunk, { settled, retries, paused, busy, failed, why }: ChunkEnd): void {
    if (this.parts.stop.aborted) return;
    if (settled > 0 || retries.length > 0) this.givenUpInRow = 0;
    this.addRetries(retries, chunk.group);
    this.waiting.add({ ...chunk, targets: busy, failures: 0 }, BUSY_MS);
    this.waiting.add({ ...chunk, targets: paused, failures: 0 }, PAUSED_MS);
    if (failed.length === 0) return;
    const failures = settled > 0 ? 0 : chunk.failures;
    const afterMs = FAILED_MS[failures];
    if (afterMs !== undefined) {
      this.waiting.add({ ...chunk, targets: failed, failures: failures + 1 }, afterMs);
      return;
    }
    this.givenUpInRow += failed.length;
    this.parts.onGivenUp(failed, why);
    if (this.givenUpInRow < STUCK_AFTER) return;
    this.stuck = why;
    this.cut.abort();
  }

  private addRetries(retries: readonly LaterProbe<Target>[], group: string | null): void {
    for (const [egress, own] of groupBy(retries, (retry) => retry.egress)) {
      const afterMs = own.reduce((longest, retry) => Math.max(longest, retry.afterMs), 0);
      for (let from = 0; from < own.length; from += CHUNK_SIZE) {
        const targets = own.slice(from, from + CHUNK_SIZE).map(({ target }) => target);
        this.waiting.add({ group, targets, attempt: 'retry', egress, failures: 0 }, afterMs);
      }
    }
  }
}
