import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli } from './product.mjs';
import { verifySingle } from './verify.mjs';

/**
 * A live key of an account of the script's own. Kept in a file that only this user can read, so that the lines a
 * person copied yesterday work today; made anew when the service does not know it (another database, say).
 * @param {{ folder: string, url: string, environment: Record<string, string>, name: string, plan: string }} options
 * @returns {Promise<string>}
 */
export async function liveKey({ folder, url, environment, name, plan }) {
  const file = join(folder, 'account.json');
  if (existsSync(file)) {
    const { key } = JSON.parse(readFileSync(file, 'utf8'));
    if (await isAccepted(url, key)) return key;
  }
  const account = await cli(['account', 'create', '--name', name, '--plan', plan], environment);
  const { key } = await cli(['key', 'create', account.id, '--mode', 'live'], environment);
  writeFileSync(file, JSON.stringify({ account: account.id, key }), { mode: 0o600 });
  return key;
}

/** Bad syntax is free for every account, so asking costs nothing. */
async function isAccepted(url, key) {
  const { status } = await verifySingle({ url, key }, { email: '', mode: 'quick' });
  return status !== 401;
}
