import type { EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import type { FailedWork } from '../../platform/queues/failed-work.repository.js';
import { hashToBytes } from './pending-probes.repository.js';
import { SMTP_PROBE_QUEUE } from './smtp-probe.queue.js';

const ENDED = 'the probe has ended: its address is deleted and the charges that waited for it were refunded';

/** Makes a pending probe due again. A probe that has ended stays ended. */
export const failedProbes: FailedWork = {
  queue: SMTP_PROBE_QUEUE.name,

  async makeDueWithin(transaction: EntityManager, jobId: string): Promise<string | null> {
    const hash = /^probe-([0-9a-f]{64})$/.exec(jobId)?.[1];
    if (hash === undefined) return 'its id names no probe';
    // A greylisted probe is not due before its mail host allows the retry.
    const [probe] = await transaction.sql<{ id: Buffer }[]>`
      SELECT id FROM pending_probes WHERE address_hmac = ${hashToBytes(hash)} AND active = 1 FOR UPDATE`;
    if (probe === undefined) return ENDED;
    await transaction.sql`
      UPDATE pending_probes SET begun = 0, failures = 0, queue_at = LEAST(queue_at, GREATEST(due_at, ${() => NOW}))
        WHERE id = ${probe.id}`;
    return null;
  },
};
