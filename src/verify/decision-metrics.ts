import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../platform/metrics/metrics.js';
import { startAtZero } from '../platform/metrics/start-at-zero.js';

const OUTCOMES = ['decided', 'pending', 'degraded', 'failed'] as const;
/**
 * `degraded`: over the monthly quota. `failed`: answered with an error, for lack of time or credits, or a fault of
 * ours.
 */
export type DecisionOutcome = (typeof OUTCOMES)[number];

/** Counts the remote decisions of guards by outcome. */
@Injectable()
export class DecisionMetrics {
  private readonly decisions: Counter<'outcome'>;

  constructor({ registry }: Metrics) {
    this.decisions = new Counter({
      name: 'mailvet_guard_decisions_total',
      help: 'Remote decisions of guards: decided, pending, degraded (past the quota), failed (an error was answered)',
      labelNames: ['outcome'],
      registers: [registry],
    });
    startAtZero(this.decisions, { outcome: OUTCOMES });
  }

  count(outcome: DecisionOutcome): void {
    this.decisions.inc({ outcome });
  }
}
