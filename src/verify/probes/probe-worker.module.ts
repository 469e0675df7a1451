import { Module } from '@nestjs/common';
import { QueueHealth } from '../../platform/queues/queue-health.js';
import { QueueWorkerModule } from '../../platform/queues/queue-worker.module.js';
import { EgressReportModule } from '../engine/egress-report.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { SingleFlight } from '../single-flight/single-flight.js';
import { PendingModule } from './pending.module.js';
import { PendingSummaryRepository } from './pending-summary.repository.js';
import { ProbeMetrics } from './probe-metrics.js';
import { ProbeSlots } from './probe-slots.js';
import { ProbeService } from './probe.service.js';
import { ProbeAttemptsRepository } from './probe-attempts.repository.js';
import { Reconciler } from './reconciler.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { SmtpProbeProcessor } from './smtp-probe.processor.js';

/** Runs deferred probes. Needs `DatabaseModule`, `RedisModule`, `HealthModule` and `MetricsModule`. */
@Module({
  imports: [PendingModule, EgressReportModule, EngineModule, QueueWorkerModule],
  providers: [
    ProbeAttemptsRepository,
    ReconciliationRepository,
    Reconciler,
    SingleFlight,
    ProbeSlots,
    PendingSummaryRepository,
    ProbeMetrics,
    ProbeService,
    SmtpProbeProcessor,
  ],
})
export class ProbeWorkerModule {
  constructor(processor: SmtpProbeProcessor, reconciler: Reconciler, health: QueueHealth) {
    health.add(processor, reconciler, 'pending probes');
  }
}
