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
  const { passwordLink, joinLink } = await newLinks({ environment, account, email });
  const chosen = await post(url, 'welcome', { token: tokenOf(passwordLink), password: user.password });
  if (chosen.status !== 200) {
    throw new Trouble(`The console did not take the password of its first user (HTTP ${chosen.status}).`);
  }
  if (joinLink !== null) {
    const cookie = chosen.headers.getSetCookie().join().split(';', 1)[0];
    const { status } = await post(url, 'welcome/join', { token: tokenOf(joinLink) }, { cookie });
    if (status !== 204) throw new Trouble(`The console did not take its first user into the account (HTTP ${status}).`);
  }
  writeFileSync(file, JSON.stringify(user), { mode: 0o600 });
  return user;
}

/** One to choose a password on, and one to join the account by for a user that an earlier run has made. */
async function newLinks({ environment, account, email }) {
  const created = ['user', 'create', '--email', email, '--account', account, '--role', 'owner', '--operator'];
  const known = (await cli(['user', 'list'], environment)).find((user) => user.email === email);
  const isMember = known?.accounts.some(({ id }) => id === account) ?? false;
  const link = isMember ? null : (await cli(created, environment)).link;
  if (known === undefined) return { passwordLink: link, joinLink: null };
  const { link: passwordLink } = await cli(['user', 'reset', email], environment);
  return { passwordLink, joinLink: link };
}

const tokenOf = (link) => new URL(link).hash.replace('#token=', '');

async function signsIn(url, { email, password }) {
  return (await post(url, 'sign-in', { email, password })).status === 200;
}

async function post(url, path, body, headers = {}) {
  const response = await fetch(`${url}/console/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url, ...headers },
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
