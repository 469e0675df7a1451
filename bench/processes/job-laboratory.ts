import { startLaboratory } from '../../test/lab/laboratory.js';
import { jobWorld, mailHostOf, JOB_DOMAINS } from '../lib/job-world.js';

/** The message to the parent when the laboratory for jobs is ready. */
export interface JobLaboratoryTold {
  readonly dnsServer: string;
  readonly smtpPort: number;
  /** Addresses of the mail hosts of the mixed domains, in order. */
  readonly mixedHosts: readonly string[];
}

/** Exits with its parent. Answers any message with its number of connections so far. */
async function main(): Promise<void> {
  const laboratory = await startLaboratory(jobWorld(), { sessionsKept: 1 });
  process.on('message', () => void process.send?.(laboratory.totalSessions));
  process.once('disconnect', () => void laboratory.stop());
  const { dnsServer, smtpPort } = laboratory;
  const mixedHosts = Array.from({ length: JOB_DOMAINS }, (_, nth) => laboratory.addressOf(mailHostOf('mixed', nth)));
  const told: JobLaboratoryTold = { dnsServer, smtpPort, mixedHosts };
  process.send?.(told);
}

void main();
