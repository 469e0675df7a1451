import { startLaboratory } from '../../test/lab/laboratory.js';
import { jobWorld } from '../lib/job-world.js';

/** What the laboratory of jobs says to its parent when it is up. */
export interface JobLaboratoryTold {
  readonly dnsServer: string;
  readonly smtpPort: number;
}

/** Ends with its parent. Whenever it is asked, whatever the question, it says how many connections it has seen. */
async function main(): Promise<void> {
  const laboratory = await startLaboratory(jobWorld(), { sessionsKept: 1 });
  process.on('message', () => void process.send?.(laboratory.totalSessions));
  process.once('disconnect', () => void laboratory.stop());
  const told: JobLaboratoryTold = { dnsServer: laboratory.dnsServer, smtpPort: laboratory.smtpPort };
  process.send?.(told);
}

void main();
