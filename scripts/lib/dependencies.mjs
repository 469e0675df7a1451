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
  const installed = packagesIn(record);
  return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(
    ([path, wanted]) => path === '' || wanted.optional || installed[path]?.version === wanted.version,
  );
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
