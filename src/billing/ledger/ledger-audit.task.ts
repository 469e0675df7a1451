import { Injectable, Logger } from '@nestjs/common';
import { MaintenanceEvery } from '../../platform/queues/maintenance-every.js';
import { auditAccounts } from './audit-accounts.js';
import { AuditPointsRepository } from './audit-points.repository.js';
import { LedgerAuditMetrics } from './audit-metrics.js';
import { LedgerAuditRepository } from './ledger-audit.repository.js';
import { LedgerAuditsRepository } from './ledger-audits.repository.js';

/**
 * Compares every balance with the sum of its ledger rows, daily. Reads the rows that are new since the last time; a month's
 * are added up once more by its closing. Repairs nothing.
 */
@Injectable()
export class LedgerAuditTask {
  private readonly logger = new Logger('Ledger');

  constructor(
    private readonly ledger: LedgerAuditRepository,
    private readonly metrics: LedgerAuditMetrics,
    private readonly audits: LedgerAuditsRepository,
    private readonly points: AuditPointsRepository,
  ) {}

  @MaintenanceEvery(24 * 60 * 60_000, 'audit-ledger')
  async run(signal: AbortSignal): Promise<void> {
    let accounts = 0;
    const wrong = new Set<string>();
    const lookedAtAll = await auditAccounts(this.ledger, { start: 'last audit', signal }, async (page) => {
      accounts += page.accounts.length;
      for (const mismatch of page.mismatches) {
        wrong.add(mismatch.account);
        this.logger.error({ ...mismatch }, 'a balance differs from the sum of its ledger rows');
      }
      if (page.mismatches.length > 0) this.metrics.countMismatches(page.mismatches.length);
      await this.points.keep(page.points);
    });
    if (!lookedAtAll) return;
    this.metrics.noteAudit();
    await this.audits.add({ accounts, mismatches: wrong.size });
  }
}
