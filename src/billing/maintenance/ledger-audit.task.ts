import { Logger } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import type { LedgerAuditRepository } from '../ledger/ledger-audit.repository.js';

export interface LedgerAuditParts {
  readonly ledger: Pick<LedgerAuditRepository, 'page'>;
  /** Figures of accounts that are not what their ledger rows add up to were found. */
  readonly onMismatches: (count: number) => void;
  /** All accounts have been looked at. */
  readonly onAudited: () => void;
}

const PAGE = 200;

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
    for (let after: string | null = null; !signal.aborted;) {
      const { accounts, mismatches } = await ledger.page({ after, limit: PAGE }, false);
      for (const mismatch of mismatches) {
        this.logger.error({ ...mismatch }, 'a balance is not the sum of its ledger rows');
      }
      if (mismatches.length > 0) onMismatches(mismatches.length);
      if (accounts.length < PAGE) return onAudited();
      after = accounts.at(-1)!;
    }
  }
}
