import { DemoDataRepository } from '../../src/console/demo/demo-data.repository.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { readListEntry } from '../../src/verify/batch-entry.js';
import { sandboxEntry } from '../../src/verify/sandbox/sandbox.js';

/**
 * Gives an account a completed list of so many addresses.
 * @returns its id
 */
export async function makeList(databaseUrl: string, accountId: string, keyId: string, length: number): Promise<string> {
  const dataSource = await openDatabase(parseDatabaseUrl(databaseUrl)!, { entities: [] });
  const id = newId();
  const entries = Array.from({ length }, (_, n) => {
    // The sandbox gives each name a verdict, and all of them occur.
    const sent = `person-${n}@d${n % 300}.example`;
    return { sent, result: JSON.stringify(sandboxEntry(readListEntry(sent), 'standard')) };
  });
  await new DemoDataRepository(dataSource).list(accountId, {
    id,
    jobId: newId(),
    keyId,
    name: 'Bench',
    entries,
    hoursAgo: 1,
  });
  await dataSource.destroy();
  return id;
}
