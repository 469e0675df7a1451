import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apt, withPackageLists } from './apt.mjs';
import { exclusively } from './exclusively.mjs';
import { root } from './paths.mjs';
import { findProgram } from './programs.mjs';

const home = join(root, '.local', 'promtool');
const unpacked = join(home, 'promtool');

/**
 * Finds Prometheus's own checker of rules, or takes it out of Debian's package once. Nothing is installed.
 * @returns {Promise<{ kind: 'ready', program: string } | { kind: 'impossible', why: string }>}
 */
export async function findPromtool() {
  const found = findProgram('promtool');
  if (found !== null) return { kind: 'ready', program: found };
  if (['apt-get', 'dpkg-deb'].some((program) => findProgram(program) === null)) {
    return { kind: 'impossible', why: 'there is no promtool here, and no apt-get to download it with' };
  }
  await exclusively(`${home}.unpacking`, async () => {
    if (!existsSync(unpacked)) await unpack();
  });
  return { kind: 'ready', program: unpacked };
}

async function unpack() {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  await withPackageLists('download prometheus', async () => {
    const { code, output } = await apt(['-o', 'APT::Sandbox::User=root', 'download', 'prometheus'], home);
    return code === 0 ? null : output;
  });
  const deb = readdirSync(home).find((file) => file.endsWith('.deb'));
  const tree = join(home, 'tree');
  await promisify(execFile)('dpkg-deb', ['-x', join(home, deb), tree]);
  renameSync(join(tree, 'usr', 'bin', 'promtool'), unpacked);
  for (const left of [tree, join(home, deb)]) rmSync(left, { recursive: true });
}
