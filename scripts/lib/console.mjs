import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli } from './product.mjs';
import { Trouble } from './trouble.mjs';

/** @typedef {{ email: string, password: string }} FirstUser */

/**
 * A user of the script's own account with a random password, kept in a file that only this user can read and made anew when
 * the console does not know it.
 * @param {{ folder: string, url: string, environment: Record<string, string>, account: string, email: string }} options
 *   `url`: the console's
 * @returns {Promise<FirstUser>}
 */
export async function firstUser({ folder, url, environment, account, email }) {
  const file = join(folder, 'user.json');
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (kept.email === email && (await signsIn(url, kept))) return kept;
  const user = { email, password: randomBytes(12).toString('base64url') };
  const token = new URL(await newLink({ environment, account, email })).hash.replace('#token=', '');
  const { status } = await post(url, 'welcome', { token, password: user.password });
  if (status !== 200) throw new Trouble(`The console did not take the password of its first user (HTTP ${status}).`);
  writeFileSync(file, JSON.stringify(user), { mode: 0o600 });
  return user;
}

/** For a new user, or for one that an earlier run has made. */
async function newLink({ environment, account, email }) {
  const created = ['user', 'create', '--email', email, '--account', account, '--role', 'owner', '--operator'];
  const known = (await cli(['user', 'list'], environment)).find((user) => user.email === email);
  if (!known?.accounts.some(({ id }) => id === account)) {
    const { link } = await cli(created, environment);
    if (link !== null) return link;
  }
  return (await cli(['user', 'reset', email], environment)).link;
}

async function signsIn(url, { email, password }) {
  return (await post(url, 'sign-in', { email, password })).status === 200;
}

async function post(url, path, body) {
  const response = await fetch(`${url}/console/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  await response.arrayBuffer();
  return response;
}

/** What a person needs to sign in. */
export function consoleLines({ email, password }, url) {
  return [
    'The account console, in a browser of this machine:',
    '',
    `address    ${url}`,
    `email      ${email}`,
    `password   ${password}`,
  ].join('\n');
}
