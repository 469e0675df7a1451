import { Injectable, Logger } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { auditAccounts } from './audit-accounts.js';
import { LedgerAuditMetrics } from './audit-metrics.js';
import { LedgerAuditRepository } from './ledger-audit.repository.js';

/** Compares every balance with the sum of its ledger rows since the last monthly closing, daily. Repairs nothing. */
@Injectable()
export class LedgerAuditTask extends MaintenanceTask {
  readonly name = 'audit-ledger';
  readonly everyMs = 24 * 60 * 60_000;
  private readonly logger = new Logger('Ledger');

  constructor(
    private readonly ledger: LedgerAuditRepository,
    private readonly metrics: LedgerAuditMetrics,
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const lookedAtAll = await auditAccounts(this.ledger, { full: false, signal }, ({ mismatches }) => {
      for (const mismatch of mismatches) {
        this.logger.error({ ...mismatch }, 'a balance differs from the sum of its ledger rows');
      }
      if (mismatches.length > 0) this.metrics.countMismatches(mismatches.length);
    });
    if (lookedAtAll) this.metrics.noteAudit();
  }
}
