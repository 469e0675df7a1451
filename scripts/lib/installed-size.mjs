import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the files of a folder hold, in megabytes (10^6 octets), whole ones. */
export function megabytes(folder) {
  return Math.round(octets(folder) / 1e6);
}

function octets(folder) {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? octets(path) : lstatSync(path).size;
  }
  return sum;
}

/** How many packages npm says it installed. */
export function packagesIn(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  return existsSync(record) ? Object.keys(JSON.parse(readFileSync(record, 'utf8')).packages).length : 0;
}
