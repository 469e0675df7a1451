import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CreditsController } from '../billing/credits/credits.controller.js';
import { UsageCounter } from '../billing/usage/usage-counter.js';
import { UsageCountsRepository } from '../billing/usage/usage-counts.repository.js';
import { DomainInterestModule } from '../domains/domain-interest.module.js';
import { DailyEvents } from '../guard/events/daily-events.js';
import { GuardEventsRepository } from '../guard/events/guard-events.repository.js';
import { GuardEventsService } from '../guard/events/guard-events.service.js';
import { GuardController } from '../guard/guard.controller.js';
import { PropertiesRepository } from '../guard/properties/properties.repository.js';
import { PropertyEntity } from '../guard/properties/property.entity.js';
import { JobsController } from '../jobs/jobs.controller.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { DomainLookupService } from '../verify/domains/domain-lookup.service.js';
import { DomainsController } from '../verify/domains/domains.controller.js';
import { EgressReportModule } from '../verify/engine/egress-report.module.js';
import { EngineModule } from '../verify/engine/engine.module.js';
import { DomainRecordsModule } from '../verify/lookup/domain-records.module.js';
import { VerifyController } from '../verify/verify.controller.js';
import { VerifyModule } from '../verify/verify.module.js';
import { WebhooksController } from '../webhooks/webhooks.controller.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';

/** What callers with a key may call. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [
    AuthModule,
    BillingModule,
    DomainInterestModule,
    DomainRecordsModule,
    EgressReportModule,
    EngineModule,
    VerifyModule,
    JobsModule,
    WebhooksModule,
    TypeOrmModule.forFeature([PropertyEntity]),
  ],
  controllers: [
    CreditsController,
    VerifyController,
    DomainsController,
    JobsController,
    GuardController,
    WebhooksController,
  ],
  providers: [
    DailyEvents,
    DomainLookupService,
    GuardEventsRepository,
    GuardEventsService,
    PropertiesRepository,
    UsageCounter,
    UsageCountsRepository,
  ],
})
export class ApiRoutesModule {}
