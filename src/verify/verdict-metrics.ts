import { Injectable } from '@nestjs/common';
import { BoundCounter } from '../platform/metrics/bound-metric.js';
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
  private readonly verdicts: BoundCounter<['kind', 'result', 'reason']>;
  private readonly answers: BoundCounter<['freshness']>;

  constructor({ registry }: Metrics) {
    const verdicts = 'Results by what asked for them (live, sandbox, job), result and reason';
    this.verdicts = new BoundCounter(registry, 'mailvet_verdicts_total', verdicts, ['kind', 'result', 'reason']);
    const answers =
      'Results of singles and batches for live keys by where they came from: cached_recent is a hit of the cache';
    this.answers = new BoundCounter(registry, 'mailvet_answers_total', answers, ['freshness']);
  }

  /** @param body of a single or a batch */
  count(kind: VerdictKind, body: unknown): void {
    if (isBatch(body)) for (const entry of body.results) this.countOne(kind, entry);
    else this.countOne(kind, body as VerifyResult);
  }

  private countOne(kind: VerdictKind, entry: BatchEntry): void {
    const [result, reason] = 'error' in entry ? [NO_RESULT, entry.error] : [entry.result, entry.reason ?? 'none'];
    this.verdicts.child(kind, result, reason).value++;
    if (kind === 'live' && 'freshness' in entry) this.answers.child(entry.freshness).value++;
  }
}

function isBatch(body: unknown): body is { readonly results: readonly BatchEntry[] } {
  return typeof body === 'object' && body !== null && 'results' in body;
}
