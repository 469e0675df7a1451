import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import { showFigure } from '../../platform/metrics/show-gauge.js';
import { newCounter } from '../../platform/metrics/new-counter.js';

/** Exposes the findings of the daily audit and the age of this process's last audit. No age before the first audit. */
@Injectable()
export class LedgerAuditMetrics {
  private readonly mismatches: Counter;
  private auditedAt: number | null = null;

  constructor({ registry }: Metrics) {
    const mismatches = 'Figures of accounts that an audit found not to be what their ledger rows add up to';
    this.mismatches = newCounter(registry, 'mailvet_ledger_mismatches_total', mismatches, {});
    showFigure(
      registry,
      'mailvet_ledger_audit_age_seconds',
      'Since this process last held every balance to its ledger rows',
      () => this.auditedAt && (performance.now() - this.auditedAt) / 1000,
    );
  }

  countMismatches(count: number): void {
    this.mismatches.inc(count);
  }

  /** Called once the audit has covered all accounts. */
  noteAudit(): void {
    this.auditedAt = performance.now();
  }
}
