import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCi } from './npm.mjs';
import { root } from './paths.mjs';
import { step } from './say.mjs';
import { Trouble } from './trouble.mjs';

/**
 * Installs what package-lock.json names, where that is not what stands in node_modules already.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {string} logs
 * @param {{ development: boolean }} which also what only tests, checks and editors need, two fifths of it all
 */
export async function installDependencies(keeper, logs, { development }) {
  if (areInstalled(development)) return;
  await step('Installing dependencies (npm ci)', async () => {
    const log = join(logs, 'npm-ci.log');
    const args = [development ? '--include=dev' : '--omit=dev'];
    if (!(await npmCi(keeper, { name: 'npm-ci', args, cwd: root, log })))
      throw new Trouble('The dependencies could not be installed.', { log });
  });
}

/** Compares with the record that npm writes into node_modules as the last act of an install. */
function areInstalled(development) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  return isSatisfied(packagesIn(join(root, 'package-lock.json')), packagesIn(record), { development });
}

/**
 * @typedef {{ version: string, optional?: boolean, dev?: boolean }} Package
 * @param {Record<string, Package>} wanted the packages of package-lock.json by path; '' is the project itself
 * @param {Record<string, Package>} installed those of npm's record
 * @param {{ development: boolean }} which
 * @returns {boolean} whether each one is there in that very version; optional ones may be missing (another platform's)
 * @public for the tests
 */
export function isSatisfied(wanted, installed, { development }) {
  return Object.entries(wanted)
    .filter(([path, { optional, dev }]) => path !== '' && !optional && (development || !dev))
    .every(([path, { version }]) => installed[path]?.version === version);
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
