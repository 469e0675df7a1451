import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import { newCounter } from '../../platform/metrics/new-counter.js';
import type { NewEntry } from './balance-rows.repository.js';
import { LEDGER_KINDS } from './ledger-kind.js';

/** Counts the rows that a process writes to the ledger. */
@Injectable()
export class LedgerMetrics {
  private readonly rows: Counter<'kind'>;
  private readonly units: Counter<'kind' | 'unit'>;

  constructor({ registry }: Metrics) {
    const rows = 'Movements of money by kind: charge, refund, grant';
    this.rows = newCounter(registry, 'mailvet_ledger_entries_total', rows, { kind: LEDGER_KINDS });
    const units = 'What they moved: credits that were purchased or gifted, and free verifies of the month';
    this.units = newCounter(registry, 'mailvet_ledger_units_total', units, { kind: [], unit: [] });
  }

  /** Counts rows before their transaction commits. A rollback does not undo the count: the ledger is authoritative. */
  count(entries: readonly NewEntry[]): void {
    for (const { kind, payment } of entries) {
      this.rows.inc({ kind });
      for (const [unit, amount] of [
        ['purchased', payment.purchased],
        ['gifted', payment.gifted],
        ['free', payment.freeVerifies],
      ] as const) {
        if (amount > 0) this.units.inc({ kind, unit }, amount);
      }
    }
  }
}
