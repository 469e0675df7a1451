import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { step } from './say.mjs';
import { Trouble } from './trouble.mjs';

/** Installs what package-lock.json names, where that is not what stands in node_modules already. */
export async function installDependencies(keeper, logs) {
  if (areInstalled()) return;
  await step('Installing dependencies (npm ci)', async () => {
    const log = join(logs, 'npm-ci.log');
    const [command, ...before] = npm();
    const { code } = await keeper.run({
      name: 'npm-ci',
      command,
      args: [...before, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      cwd: root,
      log,
    });
    if (code !== 0) throw new Trouble('The dependencies could not be installed.', { log });
  });
}

/** The npm that runs this script, or the one on the PATH. */
export function npm() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') && existsSync(cli) ? [process.execPath, cli] : ['npm'];
}

/** Compares with the record that npm writes into node_modules as the last act of an install. */
function areInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  return isSatisfied(packagesIn(join(root, 'package-lock.json')), packagesIn(record));
}

/**
 * @typedef {{ version: string, optional?: boolean }} Package
 * @param {Record<string, Package>} wanted the packages of package-lock.json by path; '' is the project itself
 * @param {Record<string, Package>} installed those of npm's record
 * @returns {boolean} whether each one is there in that very version; optional ones may be missing (another platform's)
 * @public for the tests
 */
export function isSatisfied(wanted, installed) {
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
