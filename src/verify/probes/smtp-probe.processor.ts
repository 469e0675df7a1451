import { QueueConsumer, type QueueConsumerOptions } from '../../platform/queues/queue-consumer.js';
import type { ProbeService } from './probe.service.js';
import { SMTP_PROBE_QUEUE, type SmtpProbePayload } from './smtp-probe.queue.js';

/** Serves the queue of deferred probes. */
export class SmtpProbeProcessor extends QueueConsumer<SmtpProbePayload> {
  constructor(
    probes: Pick<ProbeService, 'run'>,
    options: Omit<QueueConsumerOptions<SmtpProbePayload>, 'queue' | 'handle'>,
  ) {
    super({ ...options, queue: SMTP_PROBE_QUEUE, handle: ({ hash }, stop) => probes.run(hash, stop) });
  }
}
