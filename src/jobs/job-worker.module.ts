import { Module } from '@nestjs/common';
import { LedgerModule } from '../billing/ledger.module.js';
import { UsageCounter } from '../billing/usage/usage-counter.js';
import { UsageCountsRepository } from '../billing/usage/usage-counts.repository.js';
import { DomainsModule } from '../domains/domains.module.js';
import { QueueHealth } from '../platform/queues/queue-health.js';
import { QueueWorkerModule } from '../platform/queues/queue-worker.module.js';
import { CacheModule } from '../verify/cache/cache.module.js';
import { DomainRecordsModule } from '../verify/lookup/domain-records.module.js';
import { EgressReportModule } from '../verify/engine/egress-report.module.js';
import { EngineModule } from '../verify/engine/engine.module.js';
import { JobStoreModule } from './job-store.module.js';
import { ChunkService } from './chunks/chunk.service.js';
import { ChecksOnRecord } from './outcomes/checks-on-record.js';
import { ChunkEndingsRepository } from './chunks/chunk-endings.repository.js';
import { ChunkTurnsRepository } from './chunks/chunk-turns.repository.js';
import { JobEndingRepository } from './completion/job-ending.repository.js';
import { JobBatchProcessor } from './job-batch.processor.js';
import { JobEnder } from './completion/job-ender.js';
import { OutboxModule } from '../webhooks/outbox/outbox.module.js';
import { JobEventsRepository } from './job-events.repository.js';
import { JobMetrics } from './job-metrics.js';
import { JobReconciler } from './completion/job-reconciler.js';
import { OutcomesRepository } from './outcomes/outcomes.repository.js';
import { GreylistingDomains } from './planning/greylisting-domains.js';
import { PlanRepository } from './planning/plan.repository.js';
import { Planner } from './planning/planner.js';
import { JobReconciliationRepository } from './completion/reconciliation.repository.js';
import { ResultPagesRepository } from './completion/result-pages.repository.js';
import { ResultWriter } from './completion/result-writer.js';

/** Processes verification jobs. Needs `DatabaseModule`, `RedisModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [
    CacheModule,
    DomainRecordsModule,
    DomainsModule,
    EgressReportModule,
    EngineModule,
    JobStoreModule,
    LedgerModule,
    OutboxModule,
    QueueWorkerModule,
  ],
  providers: [
    JobEventsRepository,
    JobMetrics,
    OutcomesRepository,
    JobEndingRepository,
    JobEnder,
    ChecksOnRecord,
    JobReconciliationRepository,
    JobReconciler,
    PlanRepository,
    GreylistingDomains,
    Planner,
    UsageCounter,
    UsageCountsRepository,
    ChunkTurnsRepository,
    ChunkEndingsRepository,
    ChunkService,
    ResultPagesRepository,
    ResultWriter,
    JobBatchProcessor,
  ],
})
export class JobWorkerModule {
  constructor(processor: JobBatchProcessor, reconciler: JobReconciler, health: QueueHealth) {
    health.add(processor, reconciler, 'jobs');
  }
}
