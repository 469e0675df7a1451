import { startLaboratory } from '../../test/lab/laboratory.js';
import { demoWorld } from '../../test/lab/worlds/demo-world.js';
import { joinWorlds } from '../../test/lab/world.js';
import { benchWorld, PIPELINING_HOST } from '../lib/bench-world.js';

/** What the laboratory says to its parent when it is up. */
export interface LaboratoryTold {
  readonly dnsServer: string;
  readonly smtpPort: number;
  /** Address of the mail host that offers PIPELINING. */
  readonly pipeliningAddress: string;
}

/**
 * The bench's internet, and that of the demonstration. Says where it is to its parent, over its channel or, where it was
 * started without one, in a line on stdout. Ends with its parent.
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
