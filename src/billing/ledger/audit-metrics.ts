import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import { showFigure } from '../../platform/metrics/show-gauge.js';

/** Exposes the findings of the daily audit and the age of this process's last audit. No age before the first audit. */
@Injectable()
export class LedgerAuditMetrics {
  private readonly mismatches: Counter;
  private auditedAt: number | null = null;

  constructor({ registry }: Metrics) {
    this.mismatches = new Counter({
      name: 'mailvet_ledger_mismatches_total',
      help: 'Figures of accounts that an audit found not to be what their ledger rows add up to',
      registers: [registry],
    });
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
