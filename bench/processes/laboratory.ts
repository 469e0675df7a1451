import { startLaboratory } from '../../test/lab/laboratory.js';
import { benchWorld, PIPELINING_HOST } from '../lib/bench-world.js';

/** What the laboratory says to its parent when it is up. */
export interface LaboratoryTold {
  readonly dnsServer: string;
  readonly smtpPort: number;
  /** Address of the mail host that offers PIPELINING. */
  readonly pipeliningAddress: string;
}

/** The bench's internet. Ends with its parent. */
async function main(): Promise<void> {
  const laboratory = await startLaboratory(benchWorld, { sessionsKept: 10 });
  process.once('disconnect', () => void laboratory.stop());
  const { dnsServer, smtpPort } = laboratory;
  const told: LaboratoryTold = { dnsServer, smtpPort, pipeliningAddress: laboratory.addressOf(PIPELINING_HOST) };
  process.send?.(told);
}

void main();
