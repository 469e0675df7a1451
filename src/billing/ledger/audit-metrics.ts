import { Counter, Gauge, type Registry } from 'prom-client';
import type { LedgerAuditParts } from './ledger-audit.task.js';

/** Shows what the daily audit finds, and how long ago this process has finished one; left out while it has not. */
export function showAudits(registry: Registry): Pick<LedgerAuditParts, 'onMismatches' | 'onAudited'> {
  const registers = [registry];
  const mismatches = new Counter({
    name: 'mailvet_ledger_mismatches_total',
    help: 'Figures of accounts that an audit found not to be what their ledger rows add up to',
    registers,
  });
  let auditedAt: number | null = null;
  const age = new Gauge({
    name: 'mailvet_ledger_audit_age_seconds',
    help: 'Since this process last held every balance to its ledger rows',
    registers,
    collect() {
      if (auditedAt === null) age.remove();
      else age.set((performance.now() - auditedAt) / 1000);
    },
  });
  return {
    onMismatches: (count) => mismatches.inc(count),
    onAudited: () => {
      auditedAt = performance.now();
    },
  };
}
