import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { Trouble } from './trouble.mjs';
import { waitUntil } from './wait-until.mjs';

/**
 * @typedef {{ address: string, mode: string, shows: string, expect: Record<string, unknown>, expectLater?: Record<string, unknown> }} Example
 * @typedef {{ dnsServer: string, smtpPort: number, heloName?: string, addresses: Example[] }} Laboratory
 */

/**
 * Starts the laboratory internet, which says in one line of JSON where it is and what lives in it.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {string} logs
 * @param {string} [main] the program; the demonstration's internet when left out
 * @returns {Promise<Laboratory>}
 */
export async function startLaboratory(keeper, logs, main = join(root, '.local', 'build', 'lab', 'main.js')) {
  const log = join(logs, 'laboratory.log');
  rmSync(log, { force: true });
  const task = { name: 'laboratory', command: process.execPath, args: [main], cwd: root, log, openStdin: true };
  const { ended } = await keeper.start(task);
  const description = await waitUntil(async () => describedIn(log), { ms: 120_000, gone: ended });
  if (!description) throw new Trouble('The laboratory internet did not start.', { log });
  return description;
}

function describedIn(log) {
  if (!existsSync(log)) return null;
  const [first, ...more] = readFileSync(log, 'utf8').split('\n');
  if (more.length === 0) return null; // the line is not whole yet
  try {
    return JSON.parse(first);
  } catch {
    return null;
  }
}
