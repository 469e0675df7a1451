import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyRepository } from '../auth/api-key.repository.js';
import { KeyManagementService } from '../auth/key-management.service.js';
import { BillingModule } from '../billing/billing.module.js';
import { LedgerSumsRepository } from '../billing/statement/ledger-sums.repository.js';
import { StatementRepository } from '../billing/statement/statement.repository.js';
import { UsageCounter } from '../billing/usage/usage-counter.js';
import { UsageCountsRepository } from '../billing/usage/usage-counts.repository.js';
import { DomainInterestModule } from '../domains/domain-interest.module.js';
import { DomainViewRepository } from '../domains/store/domain-view.repository.js';
import { PropertiesRepository } from '../guard/properties/properties.repository.js';
import { PropertyEntity } from '../guard/properties/property.entity.js';
import { GuardReportRepository } from '../guard/report/guard-report.repository.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { EngineModule } from '../verify/engine/engine.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { StatementController } from './credits/statement.controller.js';
import { StatementService } from './credits/statement.service.js';
import { DomainsController } from './domains/domains.controller.js';
import { DomainsService } from './domains/domains.service.js';
import { GuardPageController } from './guard/guard-page.controller.js';
import { GuardPageService } from './guard/guard.service.js';
import { KeyAuthorsRepository } from './keys/key-authors.repository.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysService } from './keys/keys.service.js';
import { ListResultsService } from './lists/list-results.service.js';
import { ListWatch } from './lists/list-watch.js';
import { ListsController } from './lists/lists.controller.js';
import { ListsRepository } from './lists/lists.repository.js';
import { ListsService } from './lists/lists.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { ConsoleVerifyController } from './verify/verify.controller.js';
import { DailyTests } from './webhooks/daily-tests.js';
import { WebhookPagesController } from './webhooks/webhook-pages.controller.js';

/** The pages about an account that are not about people. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [
    BillingModule,
    DomainInterestModule,
    EngineModule,
    JobsModule,
    TypeOrmModule.forFeature([PropertyEntity]),
    VerifyModule,
    WebhooksModule,
  ],
  controllers: [
    OverviewController,
    KeysController,
    StatementController,
    ConsoleVerifyController,
    DomainsController,
    GuardPageController,
    ListsController,
    WebhookPagesController,
  ],
  providers: [
    ApiKeyRepository,
    DailyTests,
    KeyManagementService,
    DomainsService,
    DomainViewRepository,
    GuardPageService,
    GuardReportRepository,
    KeyAuthorsRepository,
    KeysService,
    LedgerSumsRepository,
    ListResultsService,
    ListsRepository,
    ListsService,
    ListWatch,
    OverviewService,
    PropertiesRepository,
    StatementRepository,
    StatementService,
    UsageCounter,
    UsageCountsRepository,
  ],
})
export class AccountPagesModule {}
