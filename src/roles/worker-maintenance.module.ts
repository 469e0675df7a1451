import { Module } from '@nestjs/common';
import { ListsRepository } from '../console/lists/lists.repository.js';
import { ExpiredAccessRepository } from '../console/session/expired-access.repository.js';
import { GuardEventsRepository } from '../guard/events/guard-events.repository.js';
import { JobStoreModule } from '../jobs/job-store.module.js';
import { LedgerChunksRepository } from '../billing/statement/ledger-chunks.repository.js';
import { LedgerChunksTask } from '../billing/statement/ledger-chunks.task.js';
import { UsageCountsRepository } from '../billing/usage/usage-counts.repository.js';
import { IdempotencyRepository } from '../billing/idempotency/idempotency.repository.js';
import { AuditPointsRepository } from '../billing/ledger/audit-points.repository.js';
import { LedgerAuditMetrics } from '../billing/ledger/audit-metrics.js';
import { LedgerAuditRepository } from '../billing/ledger/ledger-audit.repository.js';
import { LedgerAuditsRepository } from '../billing/ledger/ledger-audits.repository.js';
import { LedgerAuditTask } from '../billing/ledger/ledger-audit.task.js';
import { LedgerClosingRepository } from '../billing/ledger/ledger-closing.repository.js';
import { LedgerClosingTask } from '../billing/ledger/ledger-closing.task.js';
import { OutboxModule } from '../webhooks/outbox/outbox.module.js';
import { LowBalanceRepository } from '../billing/low-balance/low-balance.repository.js';
import { LowBalanceTask } from '../billing/low-balance/low-balance.task.js';
import { DomainsModule } from '../domains/domains.module.js';
import { ListRefresher } from '../domains/lists/list-refresher.js';
import { RefreshListsTask } from '../domains/lists/refresh-lists.task.js';
import { RefreshMetrics } from '../domains/lists/refresh-metrics.js';
import { SignalListsModule } from '../domains/lists/signal-lists.module.js';
import { MaintenanceModule } from '../platform/queues/maintenance.module.js';
import { CacheModule } from '../verify/cache/cache.module.js';
import { SealingModule } from '../platform/sealing/sealing.module.js';
import { OldDeliveriesRepository } from '../webhooks/upkeep/old-deliveries.repository.js';
import { ResealSecretsTask } from '../webhooks/upkeep/reseal-secrets.task.js';
import { SealedSecretsRepository } from '../webhooks/upkeep/sealed-secrets.repository.js';

/** Serves the `maintenance` queue: every `@MaintenanceEvery()` and `@PurgeEvery()` in these modules is scheduled. */
@Module({
  imports: [
    CacheModule,
    DomainsModule,
    JobStoreModule,
    MaintenanceModule,
    OutboxModule,
    SealingModule,
    SignalListsModule,
  ],
  providers: [
    AuditPointsRepository,
    ExpiredAccessRepository,
    GuardEventsRepository,
    IdempotencyRepository,
    LedgerAuditMetrics,
    LedgerAuditRepository,
    LedgerAuditTask,
    LedgerAuditsRepository,
    LedgerChunksRepository,
    LedgerChunksTask,
    LedgerClosingRepository,
    LedgerClosingTask,
    ListRefresher,
    ListsRepository,
    LowBalanceRepository,
    LowBalanceTask,
    OldDeliveriesRepository,
    SealedSecretsRepository,
    ResealSecretsTask,
    RefreshListsTask,
    RefreshMetrics,
    UsageCountsRepository,
  ],
})
export class WorkerMaintenanceModule {}
