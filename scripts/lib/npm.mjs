import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** The npm that runs this script, or the one on the PATH. */
export function npm() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') && existsSync(cli) ? [process.execPath, cli] : ['npm'];
}

/** The command that runs a script of package.json. @returns {{ name: string, command: string, args: string[] }} */
export function npmRun(name, ...args) {
  const [command, ...before] = npm();
  return { name, command, args: [...before, 'run', ...args] };
}

/**
 * Runs `npm ci`. Where a lock file names no addresses, npm asks for the description of each package first, which takes as long
 * as the rest. So it gets a lock file with the addresses of its registry, and the usual one if packages are not there.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ name: string, args: string[], cwd: string, log: string, env?: Record<string, string> }} task `args`: after `npm ci`
 * @returns {Promise<boolean>} whether everything is installed
 */
export async function npmCi(keeper, { args, ...task }) {
  const [command, ...before] = npm();
  const run = async () => (await keeper.run({ ...task, command, args: [...before, 'ci', ...args, ...quietly] })).code;
  const env = { ...process.env, ...task.env };
  const asked = spawnSync(command, [...before, 'config', 'get', 'registry'], { cwd: task.cwd, env, encoding: 'utf8' });
  const lock = JSON.parse(readFileSync(join(task.cwd, 'package-lock.json'), 'utf8'));
  // npm takes this one if there are both.
  const withAddresses = join(task.cwd, 'npm-shrinkwrap.json');
  try {
    writeFileSync(withAddresses, JSON.stringify(addAddresses(lock, asked.stdout.trim())));
    if ((await run()) === 0) return true;
  } finally {
    rmSync(withAddresses, { force: true });
  }
  return (await run()) === 0;
}

/** Adds where a registry usually has each package. */
function addAddresses(lock, registry) {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    if (entry.integrity === undefined) return [path, entry];
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = `${name.slice(name.indexOf('/') + 1)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: `${registry.replace(/\/*$/, '/')}${name}/-/${file}` }];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}
