import { Logger } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { auditAccounts } from './audit-accounts.js';
import type { LedgerAuditRepository } from './ledger-audit.repository.js';

export interface LedgerAuditParts {
  readonly ledger: Pick<LedgerAuditRepository, 'page'>;
  /** Figures of accounts that are not what their ledger rows add up to were found. */
  readonly onMismatches: (count: number) => void;
  /** All accounts have been looked at. */
  readonly onAudited: () => void;
}

/** Holds every balance to the sum of its ledger rows since the last monthly closing, once a day. Mends nothing. */
export class LedgerAuditTask extends MaintenanceTask {
  readonly name = 'audit-ledger';
  readonly everyMs = 24 * 60 * 60_000;
  private readonly logger = new Logger('Ledger');

  constructor(private readonly parts: LedgerAuditParts) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const { ledger, onMismatches, onAudited } = this.parts;
    const lookedAtAll = await auditAccounts(ledger, { full: false, signal }, ({ mismatches }) => {
      for (const mismatch of mismatches) {
        this.logger.error({ ...mismatch }, 'a balance is not the sum of its ledger rows');
      }
      if (mismatches.length > 0) onMismatches(mismatches.length);
    });
    if (lookedAtAll) onAudited();
  }
}
