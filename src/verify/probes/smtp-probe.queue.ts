import { Matches } from 'class-validator';
import type { WorkQueue } from '../../platform/queues/work-queue.js';

export class SmtpProbePayload {
  /** Of the address, in hexadecimal. */
  @Matches(/^[0-9a-f]{64}$/)
  readonly hash!: string;
}

/** Deferred probes: one job per address, however often it is asked for. The row in `pending_probes` is the truth. */
export const SMTP_PROBE_QUEUE: WorkQueue<SmtpProbePayload> = {
  name: 'smtp-probe',
  payload: SmtpProbePayload,
  jobId: ({ hash }) => `probe-${hash}`,
};
