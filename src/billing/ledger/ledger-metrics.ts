import { Counter, type Registry } from 'prom-client';
import type { NewEntry } from './balance-rows.repository.js';

/**
 * Counts rows of the ledger. @returns to be called with rows that were written: what a transaction takes back afterwards is
 * counted all the same, for the ledger is the truth and not this
 */
export function countLedger(registry: Registry): (entries: readonly NewEntry[]) => void {
  const registers = [registry];
  const rows = new Counter({
    name: 'mailvet_ledger_entries_total',
    help: 'Movements of money by kind: charge, refund, grant',
    labelNames: ['kind'],
    registers,
  });
  const units = new Counter({
    name: 'mailvet_ledger_units_total',
    help: 'What they moved: credits that were purchased or gifted, and free verifies of the month',
    labelNames: ['kind', 'unit'],
    registers,
  });
  return (entries) => {
    for (const { kind, payment } of entries) {
      rows.inc({ kind });
      for (const [unit, amount] of [
        ['purchased', payment.purchased],
        ['gifted', payment.gifted],
        ['free', payment.freeVerifies],
      ] as const) {
        if (amount > 0) units.inc({ kind, unit }, amount);
      }
    }
  };
}
