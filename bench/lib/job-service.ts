import type { RunningJobLaboratory } from './job-laboratory.js';
import { GREYLIST_RETRY_MS } from './job-world.js';
import { JOBS_ALONE, startOwnService, type OwnService } from './own-service.js';

/** Each of three domains of the laboratory, a few of four (of a small job a third), over a connection each. */
const CHUNKS_AT_ONCE = 5;
export const CONNECTIONS_AT_ONCE = 3 * CHUNKS_AT_ONCE;

/** An API, and a worker that serves jobs alone, which see no internet but the laboratory. */
export function startJobService({ dnsServer, smtpPort }: RunningJobLaboratory): Promise<OwnService> {
  return startOwnService({
    ...JOBS_ALONE,
    DNS_SERVERS: dnsServer,
    SMTP_PORT: String(smtpPort),
    WORKER_CONCURRENCY: String(CHUNKS_AT_ONCE),
    GREYLIST_RETRY_MS: String(GREYLIST_RETRY_MS),
  });
}
