import { startLaboratory } from '../../test/lab/laboratory.js';
import { bulkWorld, domainOf, DOMAINS } from '../lib/bulk-world.js';

/** The message to the parent when the laboratory of many domains is ready. */
export interface BulkLaboratoryTold {
  readonly smtpPort: number;
  /** Addresses of the mail hosts, domain by domain. */
  readonly addresses: readonly string[];
}

/** Exits with its parent. */
async function main(): Promise<void> {
  const laboratory = await startLaboratory(bulkWorld(), { sessionsKept: 1 });
  process.once('disconnect', () => void laboratory.stop());
  const addresses = Array.from({ length: DOMAINS }, (_, nth) => laboratory.addressOf(`mx.${domainOf(nth)}`));
  const told: BulkLaboratoryTold = { smtpPort: laboratory.smtpPort, addresses };
  process.send?.(told);
}

void main();
