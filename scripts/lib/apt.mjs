import { spawn } from 'node:child_process';
import { Trouble } from './trouble.mjs';

/**
 * Installs Debian packages, with a fresh package list only where the one at hand does not do.
 * It runs outside of the keeper: a package manager is never killed half way.
 * @param {string[]} packages
 */
export async function installWithApt(packages) {
  await withPackageLists(`install ${packages.join(', ')}`, async () => {
    const { code, output } = await apt(['install', '--yes', '--no-install-recommends', ...packages]);
    return code === 0 ? null : output;
  });
}

/** @type {ReturnType<typeof apt> | undefined} */
let update;

/**
 * Runs what needs package lists, and once more with fresh ones where it fails. They are fetched once for a process: apt-get lets
 * nobody else fetch or read them meanwhile.
 * @param {string} what it does, for the message of the Trouble where it fails again
 * @param {() => Promise<string | null>} attempt resolves to null, or to the output of what failed
 */
export async function withPackageLists(what, attempt) {
  if ((await attempt()) === null) return;
  update ??= apt(['update']);
  await update;
  const output = await attempt();
  if (output !== null) throw new Trouble(`apt-get could not ${what}:\n${lastLines(output)}`);
}

function lastLines(output) {
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
