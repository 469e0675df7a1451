import { spawn } from 'node:child_process';
import { Trouble } from './trouble.mjs';

/**
 * Installs Debian packages, with a fresh package list only where the one at hand does not do.
 * It runs outside of the keeper: a package manager is never killed half way.
 * @param {string[]} packages
 */
export async function installWithApt(packages) {
  const install = ['install', '--yes', '--no-install-recommends', ...packages];
  if ((await apt(install)).code === 0) return;
  await updateLists();
  const { code, output } = await apt(install);
  if (code === 0) return;
  throw new Trouble(`apt-get could not install ${packages.join(', ')}:\n${lastLines(output)}`);
}

/** @type {ReturnType<typeof apt> | undefined} */
let update;

/** Fetches the package lists, once for a process: apt-get lets nobody else fetch or read them meanwhile. */
export async function updateLists() {
  update ??= apt(['update']);
  await update;
}

/**
 * The last lines of apt-get's output, for an error message.
 * @param {string} output
 */
export function lastLines(output) {
  return output.trimEnd().split('\n').slice(-8).join('\n');
}

/**
 * Runs apt-get to its end.
 * @param {string[]} args
 * @param {string} [cwd] where `download` puts its files
 * @returns {Promise<{ code: number | null, output: string }>} the last 100 kB of its output
 */
export function apt(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      cwd,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-100_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
