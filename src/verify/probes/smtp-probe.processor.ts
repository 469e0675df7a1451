import { Processor } from '@nestjs/bullmq';
import { AppConfig } from '../../platform/config/app-config.js';
import { QueueWorkerHost } from '../../platform/queues/queue-worker-host.js';
import { WorkerHostServices } from '../../platform/queues/worker-host-services.js';
import type { JobEnding } from '../../platform/queues/work-queue.js';
import { ProbeService } from './probe.service.js';
import { SMTP_PROBE_QUEUE, type SmtpProbePayload } from './smtp-probe.queue.js';

/** Most jobs in hand besides those that ask mail hosts: their rows are being read or written. */
const READ_AHEAD = 10;

/** Processes the queue of deferred probes. */
@Processor(SMTP_PROBE_QUEUE.name, { autorun: false })
export class SmtpProbeProcessor extends QueueWorkerHost<SmtpProbePayload> {
  constructor(
    private readonly probes: ProbeService,
    services: WorkerHostServices,
    { worker }: AppConfig,
  ) {
    // Jobs that ask, jobs of slow hosts, and a few more (as many again if few ask at once).
    const concurrency = 2 * worker.concurrency + Math.min(worker.concurrency, READ_AHEAD);
    super(SMTP_PROBE_QUEUE, services, { concurrency });
  }

  protected override handle({ hash }: SmtpProbePayload, stop: AbortSignal): Promise<JobEnding> {
    return this.probes.runAttempt(hash, stop);
  }
}
