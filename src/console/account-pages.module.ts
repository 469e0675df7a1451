import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyRepository } from '../auth/api-key.repository.js';
import { KeyManagementService } from '../auth/key-management.service.js';
import { BillingModule } from '../billing/billing.module.js';
import { StatementModule } from '../billing/statement/statement.module.js';
import { UsageModule } from '../billing/usage/usage.module.js';
import { DomainInterestModule } from '../domains/domain-interest.module.js';
import { DomainViewRepository } from '../domains/store/domain-view.repository.js';
import { PropertiesRepository } from '../guard/properties/properties.repository.js';
import { PropertyEntity } from '../guard/properties/property.entity.js';
import { GuardReportRepository } from '../guard/report/guard-report.repository.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { EngineModule } from '../verify/engine/engine.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { StatementController } from './credits/statement.controller.js';
import { StatementService } from './credits/statement.service.js';
import { DomainsController } from './domains/domains.controller.js';
import { DomainsService } from './domains/domains.service.js';
import { GuardPageController } from './guard/guard-page.controller.js';
import { GuardPageService } from './guard/guard.service.js';
import { KeyAuthorsRepository } from './keys/key-authors.repository.js';
import { KeyNamesRepository } from './keys/key-names.repository.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysService } from './keys/keys.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { ConsoleVerifyController } from './verify/verify.controller.js';

/** The pages about an account that are not about people or lists. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [
    BillingModule,
    DomainInterestModule,
    EngineModule,
    JobsModule,
    StatementModule,
    TypeOrmModule.forFeature([PropertyEntity]),
    UsageModule,
    VerifyModule,
  ],
  controllers: [
    OverviewController,
    KeysController,
    StatementController,
    ConsoleVerifyController,
    DomainsController,
    GuardPageController,
  ],
  providers: [
    ApiKeyRepository,
    KeyManagementService,
    DomainsService,
    DomainViewRepository,
    GuardPageService,
    GuardReportRepository,
    KeyAuthorsRepository,
    KeyNamesRepository,
    KeysService,
    OverviewService,
    PropertiesRepository,
    StatementService,
  ],
})
export class AccountPagesModule {}
