import { Module } from '@nestjs/common';
import { LedgerChunksRepository } from './statement/ledger-chunks.repository.js';
import { LedgerChunksTask } from './statement/ledger-chunks.task.js';
import { UsageCountsRepository } from './usage/usage-counts.repository.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { AuditPointsRepository } from './ledger/audit-points.repository.js';
import { LedgerAuditMetrics } from './ledger/audit-metrics.js';
import { LedgerAuditRepository } from './ledger/ledger-audit.repository.js';
import { LedgerAuditsRepository } from './ledger/ledger-audits.repository.js';
import { LedgerAuditTask } from './ledger/ledger-audit.task.js';
import { LedgerClosingRepository } from './ledger/ledger-closing.repository.js';
import { LedgerClosingTask } from './ledger/ledger-closing.task.js';
import { OutboxModule } from '../webhooks/outbox/outbox.module.js';
import { LowBalanceRepository } from './low-balance/low-balance.repository.js';
import { LowBalanceTask } from './low-balance/low-balance.task.js';

/** The worker's background tasks for billing. Needs `DatabaseModule` and `MetricsModule`. */
@Module({
  imports: [OutboxModule],
  providers: [
    AuditPointsRepository,
    IdempotencyRepository,
    LedgerAuditMetrics,
    LedgerAuditRepository,
    LedgerAuditTask,
    LedgerAuditsRepository,
    LedgerClosingRepository,
    LedgerChunksRepository,
    LedgerChunksTask,
    LedgerClosingTask,
    LowBalanceRepository,
    LowBalanceTask,
    UsageCountsRepository,
  ],
})
export class BillingMaintenanceModule {}
