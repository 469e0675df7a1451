import { Logger, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { AppConfig } from '../platform/config/app-config.js';
import { AppSecrets } from '../platform/config/app-secrets.js';
import { LateHeaders } from '../platform/http/late-headers.js';
import { ChargeBatcher } from './charging/charge-batcher.js';
import { openChargeBatcher } from './charging/open-charge-batcher.js';
import { FundsHeaders } from './credits/funds-headers.js';
import { DecisionCountsRepository } from './decisions/decision-counts.repository.js';
import { DecisionQuota } from './decisions/decision-quota.js';
import { ExhaustedQuotas } from './decisions/exhausted-quotas.js';
import { ExhaustedQuotasRepository } from './decisions/exhausted-quotas.repository.js';
import { OutboxModule } from '../webhooks/outbox/outbox.module.js';
import { CreditHolds } from './holds/credit-holds.js';
import { FundsReader } from './holds/funds-reader.js';
import { FundsRepository } from './holds/funds.repository.js';
import { FreeAnswers } from './idempotency/free-answers.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { LedgerModule } from './ledger.module.js';
import { LedgerMetrics } from './ledger/ledger-metrics.js';
import { CallsInFlight } from './metering/calls-in-flight.js';
import { MeteredResponseService } from './metering/metered-response.service.js';
import { StoredMeteredResponseRepository } from './metering/stored-metered-response.repository.js';
import { StoredMeteredResponseService } from './metering/stored-metered-response.service.js';

/** Dependencies of `MeteringInterceptor`, for modules whose handlers have `@Metered()`. */
const METERING = [CallsInFlight, CreditHolds, IdempotencyService, MeteredResponseService, StoredMeteredResponseService];

/**
 * Prices and payment of calls; other features use it through `@Metered()`. Needs `DatabaseModule` and `RedisModule`.
 */
@Module({
  imports: [AuthModule, LedgerModule, OutboxModule],
  providers: [
    {
      // Created from configuration: it opens connections of its own.
      provide: ChargeBatcher,
      inject: [AppSecrets, AppConfig, LedgerMetrics],
      useFactory: ({ database }: AppSecrets, { billing: { answerHours } }: AppConfig, metrics: LedgerMetrics) =>
        openChargeBatcher(database, { answerHours, onTrouble, onEntries: (entries) => metrics.count(entries) }),
    },
    { provide: LateHeaders, useClass: FundsHeaders },
    ...METERING,
    DecisionCountsRepository,
    DecisionQuota,
    ExhaustedQuotas,
    ExhaustedQuotasRepository,
    FreeAnswers,
    FundsReader,
    FundsRepository,
    IdempotencyRepository,
    StoredMeteredResponseRepository,
  ],
  exports: [...METERING, DecisionQuota, FundsRepository, LateHeaders],
})
export class BillingModule {}

const logger = new Logger('Billing');

function onTrouble(what: string, err: unknown): void {
  logger.error({ err }, what);
}
