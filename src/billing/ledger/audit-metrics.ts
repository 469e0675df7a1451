import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';

/** Exposes the findings of the daily audit and the age of this process's last audit. No age before the first audit. */
@Injectable()
export class LedgerAuditMetrics {
  private readonly mismatches: Counter;
  private auditedAt: number | null = null;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.mismatches = new Counter({
      name: 'mailvet_ledger_mismatches_total',
      help: 'Figures of accounts that an audit found not to be what their ledger rows add up to',
      registers,
    });
    const auditedAt = (): number | null => this.auditedAt;
    const age = new Gauge({
      name: 'mailvet_ledger_audit_age_seconds',
      help: 'Since this process last held every balance to its ledger rows',
      registers,
      collect() {
        const at = auditedAt();
        if (at === null) age.remove();
        else age.set((performance.now() - at) / 1000);
      },
    });
  }

  countMismatches(count: number): void {
    this.mismatches.inc(count);
  }

  /** Called once the audit has covered all accounts. */
  noteAudit(): void {
    this.auditedAt = performance.now();
  }
}
