import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli } from './product.mjs';
import { verifySingle } from './verify.mjs';

/** @typedef {{ account: string, liveKey: string, testKey: string }} OwnAccount */

/**
 * An account of the script's own with a live and a test key. Kept in a file that only this user can read, so that the lines a
 * person copied yesterday work today; made anew when the service does not know it (another database, say).
 * @param {{ folder: string, url: string, environment: Record<string, string>, name: string, plan: string }} options
 * @returns {Promise<OwnAccount>}
 */
export async function ownAccount({ folder, url, environment, name, plan }) {
  const file = join(folder, 'account.json');
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (kept.liveKey && kept.testKey && (await isAccepted(url, kept.liveKey))) return kept;
  const { id: account } = await cli(['account', 'create', '--name', name, '--plan', plan], environment);
  const { key: liveKey } = await cli(['key', 'create', account, '--mode', 'live'], environment);
  const { key: testKey } = await cli(['key', 'create', account, '--mode', 'test'], environment);
  const own = { account, liveKey, testKey };
  writeFileSync(file, JSON.stringify(own), { mode: 0o600 });
  return own;
}

/**
 * What a person needs to go on in another terminal.
 * @param {OwnAccount} own
 * @param {{ DATABASE_URL: string, REDIS_URL: string, ADDRESS_HASH_SECRET: string }} environment
 * @param {string} url of the service
 */
export function accountLines({ account, liveKey, testKey }, environment, url) {
  const { DATABASE_URL, REDIS_URL, ADDRESS_HASH_SECRET } = environment;
  return [
    `account    ${account}`,
    `live key   ${liveKey}`,
    `test key   ${testKey}   (made-up answers, free)`,
    '',
    'The programs of docs/quick-start.md, in another terminal (those for Node after npm run build:clients):',
    '',
    `export MAILVET_URL='${url}' MAILVET_KEY='${testKey}'`,
    '',
    'The operator command, in another terminal in this folder:',
    '',
    `export DATABASE_URL='${DATABASE_URL}' REDIS_URL='${REDIS_URL}' ADDRESS_HASH_SECRET='${ADDRESS_HASH_SECRET}'`,
    `node dist/cli account show ${account}`,
  ].join('\n');
}

/** Bad syntax is free for every account, so asking costs nothing. */
async function isAccepted(url, key) {
  const { status } = await verifySingle({ url, key }, { email: '', mode: 'quick' });
  return status !== 401;
}
