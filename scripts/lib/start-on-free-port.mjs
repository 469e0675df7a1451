import { readFileSync } from 'node:fs';
import { freePort } from './free-port.mjs';
import { Trouble } from './trouble.mjs';
import { waitUntil } from './wait-until.mjs';

/**
 * Starts a server on a free port and waits until it answers. Between finding a port and binding it another program
 * may take it: then the next one is tried.
 * @template T
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{
 *   what: string, log: string, waitMs?: number,
 *   task: (port: number) => import('./open-keeper.mjs').Task,
 *   isReady: (port: number) => Promise<T | null>,
 * }} server
 * @returns {Promise<{ port: number, ready: T }>}
 */
export async function startOnFreePort(keeper, { what, log, task, isReady, waitMs = 180_000 }) {
  for (let tries = 3; ; tries--) {
    const port = await freePort();
    const { name } = task(port);
    const { ended } = await keeper.start(task(port));
    const ready = await waitUntil(() => isReady(port), { ms: waitMs, gone: ended });
    if (ready) return { port, ready };
    await keeper.stop(name);
    const portTaken = /address (already )?in use/i.test(readFileSync(log, 'utf8'));
    if (!portTaken || tries === 1) throw new Trouble(`The private ${what} server did not start.`, { log });
  }
}
