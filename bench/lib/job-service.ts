import type { RunningJobLaboratory } from './job-laboratory.js';
import { GREYLIST_RETRY_MS } from './job-world.js';
import { JOBS_ALONE, startOwnService, type OwnService } from './own-service.js';

/** Connections per group: each of three domains, a few of four (a third for a small job). */
const CHUNKS_AT_ONCE = 5;
export const CONNECTIONS_AT_ONCE = 3 * CHUNKS_AT_ONCE;

/** An API and a jobs-only worker that see only the laboratory internet. @param more environment of both */
export function startJobService(
  { dnsServer, smtpPort }: RunningJobLaboratory,
  more: Readonly<Record<string, string>> = {},
): Promise<OwnService> {
  return startOwnService({
    ...JOBS_ALONE,
    DNS_SERVERS: dnsServer,
    SMTP_PORT: String(smtpPort),
    WORKER_CONCURRENCY: String(CHUNKS_AT_ONCE),
    GREYLIST_RETRY_MS: String(GREYLIST_RETRY_MS),
    ...more,
  });
}
