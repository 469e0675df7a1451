import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountRepository } from '../../auth/account.repository.js';
import { AccountService } from '../../auth/account.service.js';
import { ApiKeyRepository } from '../../auth/api-key.repository.js';
import { PlanRepository } from '../../auth/plan.repository.js';
import { BillingModule } from '../../billing/billing.module.js';
import { LedgerModule } from '../../billing/ledger.module.js';
import { LedgerAuditsRepository } from '../../billing/ledger/ledger-audits.repository.js';
import { failedCrawls } from '../../domains/crawl/failed-crawls.repository.js';
import { RefreshedListsRepository } from '../../domains/lists/refreshed-lists.repository.js';
import { failedBatches } from '../../jobs/chunks/failed-batches.repository.js';
import { EgressReports } from '../../platform/egress/egress-reports.js';
import { Pauses } from '../../platform/politeness/pauses.js';
import { AllQueues } from '../../platform/queues/all-queues.js';
import { FailedJobRetriesRepository } from '../../platform/queues/failed-job-retries.repository.js';
import { QueueAges } from '../../platform/queues/queue-ages.js';
import { QueueDepths } from '../../platform/queues/queue-depths.js';
import { QueuesModule } from '../../platform/queues/queues.module.js';
import { failedProbes } from '../../verify/probes/failed-probes.repository.js';
import { ConsoleModule } from '../console.module.js';
import { AdminAccountsRepository } from './admin-accounts.repository.js';
import { AdminAccountsService } from './admin-accounts.service.js';
import { AdminController } from './admin.controller.js';
import { AdminSystemService } from './admin-system.service.js';

/** The operator's area. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [BillingModule, ConsoleModule, LedgerModule, QueuesModule],
  controllers: [AdminController],
  providers: [
    AccountRepository,
    AccountService,
    {
      provide: FailedJobRetriesRepository,
      inject: [DataSource],
      useFactory: (source: DataSource) =>
        new FailedJobRetriesRepository(source, [failedProbes, failedBatches, failedCrawls]),
    },
    AdminAccountsRepository,
    AdminAccountsService,
    AdminSystemService,
    AllQueues,
    ApiKeyRepository,
    EgressReports,
    LedgerAuditsRepository,
    Pauses,
    PlanRepository,
    QueueAges,
    QueueDepths,
    RefreshedListsRepository,
  ],
})
export class AdminModule {}
