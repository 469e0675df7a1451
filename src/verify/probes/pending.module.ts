import { Module } from '@nestjs/common';
import { LedgerModule } from '../../billing/ledger.module.js';
import { DomainsModule } from '../../domains/domains.module.js';
import { QueuesModule } from '../../platform/queues/queues.module.js';
import { CacheModule } from '../cache/cache.module.js';
import { DomainRecordsModule } from '../lookup/domain-records.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { OutboxModule } from '../../webhooks/outbox/outbox.module.js';
import { AskedProbes } from './asked-probes.js';
import { CheckRecorder } from './check-recorder.js';
import { PendingProbesRepository } from './pending-probes.repository.js';
import { ProbeEndingBatcher } from './probe-ending-batcher.js';
import { ProbeEndingsRepository } from './probe-endings.repository.js';
import { LateChargesRepository } from './late-charges.repository.js';
import { ProbeReportsRepository } from './probe-reports.repository.js';
import { EndedProbeJudge } from './ended-probe-judge.js';
import { VerificationEventsRepository } from './verification-events.repository.js';
import { SmtpProbeProducer } from './smtp-probe.queue.js';

/** Queues probes for the worker, and records checks that needed none. Processes no queue. Needs `DatabaseModule`. */
@Module({
  imports: [CacheModule, DomainRecordsModule, DomainsModule, EngineModule, LedgerModule, OutboxModule, QueuesModule],
  providers: [
    AskedProbes,
    SmtpProbeProducer,
    PendingProbesRepository,
    EndedProbeJudge,
    VerificationEventsRepository,
    ProbeReportsRepository,
    LateChargesRepository,
    ProbeEndingBatcher,
    ProbeEndingsRepository,
    CheckRecorder,
  ],
  exports: [
    CacheModule,
    DomainsModule,
    LedgerModule,
    QueuesModule,
    AskedProbes,
    LateChargesRepository,
    PendingProbesRepository,
    ProbeEndingsRepository,
    SmtpProbeProducer,
    CheckRecorder,
  ],
})
export class PendingModule {}
