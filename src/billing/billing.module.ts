import { Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { AppConfig } from '../platform/config/app-config.js';
import { AppSecrets } from '../platform/config/app-secrets.js';
import { tracedStep } from '../platform/tracing/tracing.js';
import { LateHeaders } from '../platform/http/late-headers.js';
import { CreditHolds } from './holds/credit-holds.js';
import { openChargeBatcher } from './charging/open-charge-batcher.js';
import { CreditsController } from './credits/credits.controller.js';
import { DecisionCountEntity } from './decisions/decision-count.entity.js';
import { DecisionCountsRepository } from './decisions/decision-counts.repository.js';
import { DecisionQuota } from './decisions/decision-quota.js';
import { MeteredResponseService } from './metering/metered-response.service.js';
import { FundsHeaders } from './credits/funds-headers.js';
import { FundsReader } from './holds/funds-reader.js';
import { FundsRepository } from './holds/funds.repository.js';
import { IdempotencyRecordEntity } from './idempotency/idempotency-record.entity.js';
import { DailyAmounts } from '../platform/redis/daily-amounts.js';
import { FreeAnswers } from './idempotency/free-answers.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { AccountBalanceEntity } from './ledger/account-balance.entity.js';
import { LedgerClosingEntity } from './ledger/ledger-closing.entity.js';
import { LedgerEntryEntity } from './ledger/ledger-entry.entity.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { LEDGER_COUNTER, LedgerModule, type LedgerCounter } from './ledger.module.js';
import { StoredMeteredResponseService } from './metering/stored-metered-response.service.js';
import { StoredMeteredResponseRepository } from './metering/stored-metered-response.repository.js';
import { WaitingChargeEntity } from './pending-charges/waiting-charge.entity.js';

const CHARGE_BATCHER = Symbol('the charge batcher of this process');
type OpenedBatcher = ReturnType<typeof openChargeBatcher>;

const logger = new Logger('Billing');
const onTrouble = (what: string, error: unknown): void => logger.error({ err: error }, what);

/** What calls cost and how they are paid; `MeteredResponseService` and `StoredMeteredResponseService` are how other features use it. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [
    AuthModule,
    LedgerModule,
    TypeOrmModule.forFeature([
      AccountBalanceEntity,
      LedgerEntryEntity,
      LedgerClosingEntity,
      IdempotencyRecordEntity,
      WaitingChargeEntity,
      DecisionCountEntity,
    ]),
  ],
  controllers: [CreditsController],
  providers: [
    {
      provide: CHARGE_BATCHER,
      inject: [AppSecrets, AppConfig, LEDGER_COUNTER],
      useFactory: (
        { database }: AppSecrets,
        { billing: { answerHours } }: AppConfig,
        onEntries?: LedgerCounter,
      ): OpenedBatcher => openChargeBatcher(database, { answerHours, onTrouble, ...(onEntries && { onEntries }) }),
    },
    {
      provide: LateHeaders,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => {
        const balances = new FundsRepository(dataSource);
        return new FundsHeaders(new FundsReader((accountIds) => balances.read(accountIds)));
      },
    },
    // One for both kinds of delivery: calls of an account are under way in either.
    CreditHolds,
    {
      provide: IdempotencyRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new IdempotencyRepository(dataSource),
    },
    {
      provide: IdempotencyService,
      inject: [IdempotencyRepository, AppConfig],
      useFactory: (records: IdempotencyRepository, { billing: { answerHours } }: AppConfig) =>
        new IdempotencyService(records, answerHours),
    },
    {
      provide: MeteredResponseService,
      inject: [CreditHolds, IdempotencyService, CHARGE_BATCHER, DailyAmounts],
      useFactory: (
        holds: CreditHolds,
        idempotency: IdempotencyService,
        { batcher }: OpenedBatcher,
        amounts: DailyAmounts,
      ) =>
        new MeteredResponseService({
          holds,
          batcher: { charge: tracedStep('charge', batcher.charge.bind(batcher)) },
          idempotency,
          freeAnswers: new FreeAnswers(amounts),
          onTrouble,
        }),
    },
    {
      provide: DecisionCountsRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new DecisionCountsRepository(dataSource),
    },
    {
      provide: DecisionQuota,
      inject: [DecisionCountsRepository],
      useFactory: (counts: DecisionCountsRepository) => new DecisionQuota({ counts, onTrouble }),
    },
    {
      provide: StoredMeteredResponseRepository,
      inject: [DataSource, LedgerRepository, IdempotencyRepository, AppConfig],
      useFactory: (
        dataSource: DataSource,
        ledger: LedgerRepository,
        idempotency: IdempotencyRepository,
        { billing: { answerHours } }: AppConfig,
      ) => new StoredMeteredResponseRepository(dataSource, { ledger, idempotency, answerHours }),
    },
    {
      provide: StoredMeteredResponseService,
      inject: [CreditHolds, IdempotencyService, StoredMeteredResponseRepository],
      useFactory: (holds: CreditHolds, idempotency: IdempotencyService, storage: StoredMeteredResponseRepository) =>
        new StoredMeteredResponseService({ holds, idempotency, storage, onTrouble }),
    },
  ],
  exports: [LateHeaders, MeteredResponseService, StoredMeteredResponseService, DecisionQuota],
})
export class BillingModule implements OnApplicationShutdown {
  constructor(@Inject(CHARGE_BATCHER) private readonly open: OpenedBatcher) {}

  /** Runs after the HTTP server has closed: no more charges come. */
  async onApplicationShutdown(): Promise<void> {
    await this.open.close();
  }
}
