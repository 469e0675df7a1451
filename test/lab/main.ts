import { startLaboratory } from './laboratory.js';
import { DEMO_ADDRESSES, demoWorld } from './worlds/demo-world.js';

/**
 * The demonstration's internet as a process of its own. Prints one line of JSON once it is up:
 * `{"dnsServer":"127.…:…","smtpPort":…,"addresses":[…]}`. Ends on SIGTERM or SIGINT, and with whoever holds its stdin open,
 * so that it never outlives the process that started it; exit 0.
 */
async function main(): Promise<void> {
  const laboratory = await startLaboratory(demoWorld);
  const { dnsServer, smtpPort } = laboratory;
  const end = (): void => {
    process.stdin.destroy();
    void laboratory.stop();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.stdin.once('close', end).resume();
  process.stdout.write(`${JSON.stringify({ dnsServer, smtpPort, addresses: DEMO_ADDRESSES })}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
