import { Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { AppConfig } from '../platform/config/app-config.js';
import { AppSecrets } from '../platform/config/app-secrets.js';
import { tracedStep } from '../platform/tracing/tracing.js';
import { LateHeaders } from '../platform/http/late-headers.js';
import { Admission } from './holds/admission.js';
import { openChargeLane } from './charging/open-charge-lane.js';
import { CreditsController } from './credits/credits.controller.js';
import { DecisionCountEntity } from './decisions/decision-count.entity.js';
import { DecisionCountsRepository } from './decisions/decision-counts.repository.js';
import { DecisionQuota } from './decisions/decision-quota.js';
import { Deliveries } from './metering/deliveries.js';
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
import { StoredDeliveries } from './metering/stored-deliveries.js';
import { StoredDeliveryRepository } from './metering/stored-delivery.repository.js';
import { WaitingChargeEntity } from './pending-charges/waiting-charge.entity.js';

const OPEN_LANE = Symbol('the charge lane of this process');
type OpenLane = ReturnType<typeof openChargeLane>;

const logger = new Logger('Billing');
const onTrouble = (what: string, error: unknown): void => logger.error({ err: error }, what);

/** What calls cost and how they are paid; `Deliveries` and `StoredDeliveries` are how other features use it. Needs `DatabaseModule` and `RedisModule`. */
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
      provide: OPEN_LANE,
      inject: [AppSecrets, AppConfig, LEDGER_COUNTER],
      useFactory: (
        { database }: AppSecrets,
        { billing: { answerHours } }: AppConfig,
        onEntries?: LedgerCounter,
      ): OpenLane => openChargeLane(database, { answerHours, onTrouble, ...(onEntries && { onEntries }) }),
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
    Admission,
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
      provide: Deliveries,
      inject: [Admission, IdempotencyService, OPEN_LANE, DailyAmounts],
      useFactory: (admission: Admission, idempotency: IdempotencyService, { lane }: OpenLane, amounts: DailyAmounts) =>
        new Deliveries({
          admission,
          lane: { charge: tracedStep('charge', lane.charge.bind(lane)) },
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
      provide: StoredDeliveryRepository,
      inject: [DataSource, LedgerRepository, IdempotencyRepository, AppConfig],
      useFactory: (
        dataSource: DataSource,
        ledger: LedgerRepository,
        idempotency: IdempotencyRepository,
        { billing: { answerHours } }: AppConfig,
      ) => new StoredDeliveryRepository(dataSource, { ledger, idempotency, answerHours }),
    },
    {
      provide: StoredDeliveries,
      inject: [Admission, IdempotencyService, StoredDeliveryRepository],
      useFactory: (admission: Admission, idempotency: IdempotencyService, storage: StoredDeliveryRepository) =>
        new StoredDeliveries({ admission, idempotency, storage, onTrouble }),
    },
  ],
  exports: [LateHeaders, Deliveries, StoredDeliveries, DecisionQuota],
})
export class BillingModule implements OnApplicationShutdown {
  constructor(@Inject(OPEN_LANE) private readonly open: OpenLane) {}

  /** Runs after the HTTP server has closed: no more charges come. */
  async onApplicationShutdown(): Promise<void> {
    await this.open.close();
  }
}
