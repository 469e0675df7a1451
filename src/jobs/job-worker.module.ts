import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LedgerModule } from '../billing/ledger.module.js';
import { UsageCounter } from '../billing/usage/usage-counter.js';
import { UsageCountsRepository } from '../billing/usage/usage-counts.repository.js';
import { LedgerRepository } from '../billing/ledger/ledger.repository.js';
import { CatchAllRepository } from '../domains/catch-all/catch-all.repository.js';
import { DomainRecords } from '../verify/lookup/domain-records.js';
import { DomainsModule } from '../domains/domains.module.js';
import { AppConfig } from '../platform/config/app-config.js';
import { FailedJobsRepository } from '../platform/queues/failed-jobs.repository.js';
import { QueueHealth } from '../platform/queues/queue-health.js';
import { QueueWorkerModule } from '../platform/queues/queue-worker.module.js';
import { AddressVault } from '../verify/address-vault/address-vault.js';
import { CacheModule } from '../verify/cache/cache.module.js';
import { DomainRecordsModule } from '../verify/lookup/domain-records.module.js';
import { EngineProvider } from '../verify/engine/engine-provider.js';
import { EgressReportModule } from '../verify/engine/egress-report.module.js';
import { EngineModule } from '../verify/engine/engine.module.js';
import { JobBatchProducer } from './job-batch.queue.js';
import { JobStoreModule } from './job-store.module.js';
import { ChunkService } from './chunks/chunk.service.js';
import { ChecksOnRecord } from './outcomes/checks-on-record.js';
import { ChunkEndingsRepository } from './chunks/chunk-endings.repository.js';
import { ChunkTurnsRepository } from './chunks/chunk-turns.repository.js';
import { JobEndingRepository } from './completion/job-ending.repository.js';
import { SharedPermits } from './chunks/shared-permits.js';
import { PERMITS_OF_WAVE } from './chunks/wave-permits.js';
import { JobBatchProcessor } from './job-batch.processor.js';
import { JobEnder } from './completion/job-ender.js';
import { OutboxModule } from '../webhooks/outbox/outbox.module.js';
import { JobEventsRepository } from './job-events.repository.js';
import { JobMetrics } from './job-metrics.js';
import { JobReconciler } from './completion/job-reconciler.js';
import { OutcomesRepository } from './outcomes/outcomes.repository.js';
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
    Planner,
    UsageCounter,
    UsageCountsRepository,
    // Factories pass functions of the engine and configuration values to these two; tests replace them.
    {
      provide: ChunkService,
      inject: [
        DataSource,
        FailedJobsRepository,
        OutcomesRepository,
        JobBatchProducer,
        ChecksOnRecord,
        CatchAllRepository,
        EngineProvider,
        AddressVault,
        AppConfig,
        JobMetrics,
      ],
      useFactory: (
        dataSource: DataSource,
        failedJobs: FailedJobsRepository,
        outcomes: OutcomesRepository,
        queue: JobBatchProducer,
        record: ChecksOnRecord,
        catchAll: CatchAllRepository,
        { mailHosts: finder, bulk, knowledge }: EngineProvider,
        vault: AddressVault,
        { probes: { deadlineMs, greylistRetryMs }, worker }: AppConfig,
        { onEntries, onRun }: JobMetrics,
      ) =>
        new ChunkService({
          turns: new ChunkTurnsRepository(dataSource),
          endings: new ChunkEndingsRepository(dataSource, failedJobs),
          outcomes,
          queue,
          record,
          catchAll,
          finder,
          bulk,
          permits: new SharedPermits(worker.concurrency * PERMITS_OF_WAVE),
          knowledge,
          hashesOf: (address) => vault.hashes(address),
          deadlineMs,
          greylistRetryMs,
          onEntries,
          onRun,
        }),
    },
    {
      provide: ResultWriter,
      inject: [
        DataSource,
        LedgerRepository,
        CatchAllRepository,
        DomainRecords,
        EngineProvider,
        JobMetrics,
        UsageCounter,
        JobEventsRepository,
      ],
      useFactory: (
        dataSource: DataSource,
        ledger: LedgerRepository,
        catchAll: CatchAllRepository,
        records: DomainRecords,
        { knowledge }: EngineProvider,
        { onCompleted, onResult }: JobMetrics,
        usage: UsageCounter,
        events: JobEventsRepository,
      ) =>
        new ResultWriter({
          jobs: new ResultPagesRepository(dataSource, ledger, events),
          catchAll,
          records,
          knowledge,
          onCompleted,
          onResult,
          onWritten: (job, verdicts) => {
            for (const verdict of verdicts) usage.count(job, 'job', verdict);
          },
        }),
    },
    JobBatchProcessor,
  ],
})
export class JobWorkerModule {
  constructor(processor: JobBatchProcessor, reconciler: JobReconciler, health: QueueHealth) {
    health.add(processor, reconciler, 'jobs');
  }
}
