import { Injectable } from '@nestjs/common';
import { BoundCounter, type Tally } from '../platform/metrics/bound-metric.js';
import { Metrics } from '../platform/metrics/metrics.js';
import type { BatchEntry } from './verify-batch.response.js';
import type { VerifyResult } from './verify.response.js';

/** The source of a verdict: a call with a live key, a call with a sandbox key, a job. */
export type VerdictKind = 'live' | 'sandbox' | 'job';

/** The result label of a batch entry with an error, whose code becomes the reason. */
const NO_RESULT = 'none';

/** Counts results by verdict and source. Runs on every call. */
@Injectable()
export class VerdictMetrics {
  private readonly verdicts: BoundCounter<'kind' | 'result' | 'reason'>;
  private readonly answers: BoundCounter<'freshness'>;
  private readonly byReason: Readonly<Record<VerdictKind, Map<string, Map<string, Tally>>>> = {
    live: new Map(),
    sandbox: new Map(),
    job: new Map(),
  };
  private readonly byFreshness = new Map<string, Tally>();

  constructor({ registry }: Metrics) {
    this.verdicts = new BoundCounter(registry, {
      name: 'mailvet_verdicts_total',
      help: 'Results by what asked for them (live, sandbox, job), result and reason',
      labelNames: ['kind', 'result', 'reason'],
    });
    this.answers = new BoundCounter(registry, {
      name: 'mailvet_answers_total',
      help: 'Results of singles and batches for live keys by where they came from: cached_recent is a hit of the cache',
      labelNames: ['freshness'],
    });
  }

  /** @param body of a single or a batch */
  count(kind: VerdictKind, body: unknown): void {
    if (isBatch(body)) for (const entry of body.results) this.countOne(kind, entry);
    else this.countOne(kind, body as VerifyResult);
  }

  private countOne(kind: VerdictKind, entry: BatchEntry): void {
    if ('error' in entry) return this.addTo(kind, NO_RESULT, entry.error);
    const { result, reason, freshness } = entry;
    this.addTo(kind, result, reason ?? 'none');
    if (kind === 'live') (this.byFreshness.get(freshness) ?? this.addFreshness(freshness)).value++;
  }

  private addTo(kind: VerdictKind, result: string, reason: string): void {
    (this.byReason[kind].get(result)?.get(reason) ?? this.addReason(kind, result, reason)).value++;
  }

  private addReason(kind: VerdictKind, result: string, reason: string): Tally {
    const tally = this.verdicts.child({ kind, result, reason });
    const reasons = this.byReason[kind].get(result) ?? new Map<string, Tally>();
    this.byReason[kind].set(result, reasons.set(reason, tally));
    return tally;
  }

  private addFreshness(freshness: string): Tally {
    const tally = this.answers.child({ freshness });
    this.byFreshness.set(freshness, tally);
    return tally;
  }
}

function isBatch(body: unknown): body is { readonly results: readonly BatchEntry[] } {
  return typeof body === 'object' && body !== null && 'results' in body;
}
