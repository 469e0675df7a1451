import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { BatchService } from './batch.service.js';
import { DecisionMetrics } from './decision-metrics.js';
import { EngineModule } from './engine/engine.module.js';
import { CheckLookupService } from './lookup/check-lookup.service.js';
import { DnsFactsRecorder } from './lookup/dns-facts-recorder.js';
import { DomainRecordsModule } from './lookup/domain-records.module.js';
import { SynchronousCheckService } from './lookup/synchronous-check.service.js';
import { PendingModule } from './probes/pending.module.js';
import { RemoteDecisions } from './remote-decisions.js';
import { SingleFlight } from './single-flight/single-flight.js';
import { VerdictMetrics } from './verdict-metrics.js';
import { VerifyService } from './verify.service.js';

/** Verifies addresses while callers wait, for any process. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [BillingModule, DomainRecordsModule, EngineModule, PendingModule],
  providers: [
    BatchService,
    CheckLookupService,
    DecisionMetrics,
    DnsFactsRecorder,
    RemoteDecisions,
    SingleFlight,
    SynchronousCheckService,
    VerdictMetrics,
    VerifyService,
  ],
  exports: [BatchService, RemoteDecisions, VerdictMetrics, VerifyService],
})
export class VerifyModule {}
