import { startLaboratory } from '../../test/lab/laboratory.js';
import { demoWorld } from '../../test/lab/worlds/demo-world.js';
import { joinWorlds } from '../../test/lab/world.js';
import { benchWorld, PIPELINING_HOST } from '../lib/bench-world.js';

/** The message to the parent when the laboratory is ready. */
export interface LaboratoryTold {
  readonly dnsServer: string;
  readonly smtpPort: number;
  /** Address of the mail host that offers PIPELINING. */
  readonly pipeliningAddress: string;
}

/**
 * The internet of the benches and the demonstration. Sends its addresses to its parent over the channel, or prints
 * them as one line on stdout. Exits with its parent.
 */
async function main(): Promise<void> {
  const laboratory = await startLaboratory(joinWorlds(demoWorld, benchWorld), { sessionsKept: 10 });
  const { dnsServer, smtpPort } = laboratory;
  const told: LaboratoryTold = { dnsServer, smtpPort, pipeliningAddress: laboratory.addressOf(PIPELINING_HOST) };
  if (process.send === undefined) {
    const end = (): void => {
      process.stdin.destroy();
      void laboratory.stop();
    };
    process.once('SIGTERM', end);
    process.stdin.once('close', end).resume();
    process.stdout.write(`${JSON.stringify(told)}\n`);
  } else {
    process.once('disconnect', () => void laboratory.stop());
    process.send(told);
  }
}

void main();
