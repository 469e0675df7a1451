import { Logger, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { DecisionQuota } from '../billing/decisions/decision-quota.js';
import { CatchAllRepository } from '../domains/catch-all/catch-all.repository.js';
import { DomainRecords } from '../domains/store/domain-records.js';
import { AppConfig } from '../platform/config/app-config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { AddressVault } from './address-vault/address-vault.js';
import { BatchService } from './batch.service.js';
import { CheckCacheRepository } from './cache/check-cache.repository.js';
import { DnsFactsKeeper } from './lookup/dns-facts-keeper.js';
import { DomainRecordsModule } from './lookup/domain-records.module.js';
import { EngineProvider } from './engine/engine-provider.js';
import { EngineModule } from './engine/engine.module.js';
import { SingleFlight } from './single-flight/single-flight.js';
import { SingleFlightModule } from './single-flight/single-flight.module.js';
import { CheckLookupService } from './lookup/check-lookup.service.js';
import { SynchronousCheckService } from './lookup/synchronous-check.service.js';
import { CheckRecorder } from './probes/check-recorder.js';
import { PendingModule } from './probes/pending.module.js';
import { PendingProbesRepository } from './probes/pending-probes.repository.js';
import { SmtpProbeProducer } from './probes/smtp-probe.queue.js';
import { countDecisions, VerdictMetrics } from './verdict-metrics.js';
import { RemoteDecisions } from './remote-decisions.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';

const logger = new Logger('Verify');
const onTrouble = (what: string, error: unknown): void => logger.error({ err: error }, what);

/** `POST /v1/verify/single` and `/batch`. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [AuthModule, BillingModule, DomainRecordsModule, EngineModule, SingleFlightModule, PendingModule],
  controllers: [VerifyController],
  providers: [
    {
      provide: CheckLookupService,
      inject: [
        AddressVault,
        CheckCacheRepository,
        CatchAllRepository,
        DomainRecords,
        PendingProbesRepository,
        EngineProvider,
      ],
      useFactory: (
        vault: AddressVault,
        cache: CheckCacheRepository,
        catchAlls: CatchAllRepository,
        records: DomainRecords,
        pending: PendingProbesRepository,
        { knowledge: { findProvider } }: EngineProvider,
      ) => new CheckLookupService({ vault, cache, catchAlls, records, pending, findProvider }),
    },
    DnsFactsKeeper,
    {
      provide: SynchronousCheckService,
      inject: [
        EngineProvider,
        SingleFlight,
        CheckLookupService,
        CheckRecorder,
        PendingProbesRepository,
        SmtpProbeProducer,
        AppConfig,
      ],
      useFactory: (
        { engine }: EngineProvider,
        flights: SingleFlight,
        facts: CheckLookupService,
        recorder: CheckRecorder,
        pending: PendingProbesRepository,
        queue: SmtpProbeProducer,
        { probes: { inApi } }: AppConfig,
      ) =>
        new SynchronousCheckService({ engine, flights, facts, recorder, pending, queue, probesHere: inApi, onTrouble }),
    },
    VerifyService,
    {
      provide: RemoteDecisions,
      inject: [VerifyService, DecisionQuota, AppConfig, { token: Metrics, optional: true }],
      useFactory: (
        singles: VerifyService,
        quota: DecisionQuota,
        { guard: { deadlineMs } }: AppConfig,
        metrics?: Metrics,
      ) => {
        const onDecision = metrics && countDecisions(metrics.registry);
        return new RemoteDecisions({ singles, quota, deadlineMs, ...(onDecision && { onDecision }) });
      },
    },
    {
      provide: VerdictMetrics,
      inject: [{ token: Metrics, optional: true }],
      useFactory: (metrics?: Metrics) => metrics && new VerdictMetrics(metrics.registry),
    },
    BatchService,
  ],
})
export class VerifyModule {}
