import { z } from 'zod';
import type { WorkQueue } from '../../platform/queues/work-queue.js';

export const smtpProbePayload = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) });
export type SmtpProbePayload = z.output<typeof smtpProbePayload>;

/** Deferred probes: one job per address, however often it is asked for. The row in `pending_probes` is the truth. */
export const SMTP_PROBE_QUEUE: WorkQueue<SmtpProbePayload> = {
  name: 'smtp-probe',
  payload: smtpProbePayload,
  jobId: ({ hash }) => `probe-${hash}`,
};
