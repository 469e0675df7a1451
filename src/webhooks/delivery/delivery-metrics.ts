import { Injectable } from '@nestjs/common';
import { Histogram, type Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { JudgedAttempt } from './judge-attempt.js';
import { newCounter } from '../../platform/metrics/new-counter.js';

const OUTCOMES: readonly JudgedAttempt['outcome'][] = ['delivered', 'retried', 'failed', 'gone'];

/** Counts attempts to deliver events. */
@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Counter<'outcome'>;
  private readonly seconds: Histogram;

  constructor({ registry }: Metrics) {
    const attempts =
      'Attempts to deliver an event by what came of them: delivered, retried later, failed for good, gone (410)';
    this.attempts = newCounter(registry, 'mailvet_webhook_attempts_total', attempts, { outcome: OUTCOMES });
    this.seconds = new Histogram({
      name: 'mailvet_webhook_attempt_seconds',
      help: 'Duration of attempts to deliver an event',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers: [registry],
    });
  }

  count(outcome: JudgedAttempt['outcome'], seconds: number): void {
    this.attempts.inc({ outcome });
    this.seconds.observe(seconds);
  }
}
