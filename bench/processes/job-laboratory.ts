import { startLaboratory } from '../../test/lab/laboratory.js';
import { jobWorld } from '../lib/job-world.js';

/** The message to the parent when the laboratory for jobs is ready. */
export interface JobLaboratoryTold {
  readonly dnsServer: string;
  readonly smtpPort: number;
}

/** Exits with its parent. Answers any message with its number of connections so far. */
async function main(): Promise<void> {
  const laboratory = await startLaboratory(jobWorld(), { sessionsKept: 1 });
  process.on('message', () => void process.send?.(laboratory.totalSessions));
  process.once('disconnect', () => void laboratory.stop());
  const told: JobLaboratoryTold = { dnsServer: laboratory.dnsServer, smtpPort: laboratory.smtpPort };
  process.send?.(told);
}

void main();
