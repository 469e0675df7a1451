import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../platform/metrics/metrics.js';
import { newCounter } from '../platform/metrics/new-counter.js';

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
    const decisions =
      'Remote decisions of guards: decided, pending, degraded (past the quota), failed (an error was answered)';
    this.decisions = newCounter(registry, 'mailvet_guard_decisions_total', decisions, { outcome: OUTCOMES });
  }

  count(outcome: DecisionOutcome): void {
    this.decisions.inc({ outcome });
  }
}
