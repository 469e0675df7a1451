import { Processor } from '@nestjs/bullmq';
import { AppConfig } from '../../platform/config/app-config.js';
import { QueueWorkerHost } from '../../platform/queues/queue-worker-host.js';
import { WorkerHostServices } from '../../platform/queues/worker-host-services.js';
import type { JobEnding } from '../../platform/queues/work-queue.js';
import { ProbeService } from './probe.service.js';
import { SMTP_PROBE_QUEUE, type SmtpProbePayload } from './smtp-probe.queue.js';

/** Jobs in hand, at most, beside those whose mail hosts are being asked: their rows are read or written meanwhile. */
const READ_AHEAD = 10;

/** Serves the queue of deferred probes. */
@Processor(SMTP_PROBE_QUEUE.name, { autorun: false })
export class SmtpProbeProcessor extends QueueWorkerHost<SmtpProbePayload> {
  constructor(
    private readonly probes: ProbeService,
    services: WorkerHostServices,
    { worker }: AppConfig,
  ) {
    // Those that ask, those whose hosts keep them waiting, and a few more: as many again, where few ask at once.
    const concurrency = 2 * worker.concurrency + Math.min(worker.concurrency, READ_AHEAD);
    super(SMTP_PROBE_QUEUE, services, { concurrency });
  }

  protected override handle({ hash }: SmtpProbePayload, stop: AbortSignal): Promise<JobEnding> {
    return this.probes.run(hash, stop);
  }
}
