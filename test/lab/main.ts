import { startLaboratory } from './laboratory.js';
import { DEMO_ADDRESSES, demoWorld } from './worlds/demo-world.js';

/**
 * Runs the demo's internet as its own process. Prints one line of JSON when it is up:
 * `{"dnsServer":"127.…:…","smtpPort":…,"addresses":[…]}`. Ends on SIGTERM, SIGINT or when its stdin closes, so that it
 * never outlives its parent; exit 0.
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
