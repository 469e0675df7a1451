import { startLaboratory } from '../../test/lab/laboratory.js';
import { jobWorld } from '../lib/job-world.js';

/** What the laboratory of jobs says to its parent when it is up. */
export interface JobLaboratoryTold {
  readonly dnsServer: string;
  readonly smtpPort: number;
}

/** What it says whenever it is asked, whatever the question: connections since it was last asked. */
export interface JobLaboratoryCount {
  readonly opened: number;
  /** The most that were open at once, as far as was seen. */
  readonly atOnce: number;
}

const LOOK_EVERY_MS = 20;

/** Ends with its parent. */
async function main(): Promise<void> {
  const laboratory = await startLaboratory(jobWorld(), { sessionsKept: 1 });
  let atOnce = 0;
  let before = 0;
  const look = setInterval(() => {
    atOnce = Math.max(atOnce, laboratory.openSessions);
  }, LOOK_EVERY_MS);
  process.on('message', () => {
    const opened = laboratory.totalSessions;
    const count: JobLaboratoryCount = { opened: opened - before, atOnce };
    before = opened;
    atOnce = 0;
    process.send?.(count);
  });
  process.once('disconnect', () => {
    clearInterval(look);
    void laboratory.stop();
  });
  const told: JobLaboratoryTold = { dnsServer: laboratory.dnsServer, smtpPort: laboratory.smtpPort };
  process.send?.(told);
}

void main();
