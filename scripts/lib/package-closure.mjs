import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apt, withPackageLists } from './apt.mjs';

/**
 * Downloads Debian packages with everything their programs are linked to, whatever this machine has installed: apt is
 * shown an empty list of installed packages. Nothing is installed and no list of the system's is changed, except that
 * package lists that are missing or outdated are fetched anew.
 * @param {string[][]} installs packages that can be installed together, one list per such install
 * @param {string} folder an empty one, gets the `.deb` files
 */
export async function downloadClosure(installs, folder) {
  const debs = join(folder, 'debs');
  mkdirSync(debs, { recursive: true });
  const status = join(folder, 'no-package-installed');
  writeFileSync(status, '');
  const blank = ['-o', `Dir::State::status=${status}`, '-o', `Dir::Cache=${folder}`, '-o', 'Debug::NoLocking=1'];
  await withPackageLists(`download ${installs.flat().join(', ')}`, async () => {
    const packages = new Set();
    for (const install of installs) {
      const args = [...blank, '--yes', '--no-install-recommends', 'install', '--print-uris', ...install];
      const { code, output } = await apt(args);
      if (code !== 0) return output;
      for (const name of packagesToUnpack(output, install)) packages.add(name);
    }
    const { code, output } = await apt([...asRoot, 'download', ...packages], debs);
    return code === 0 ? null : output;
  });
  return debs;
}

/** The folder is this user's alone, so apt's own user could not write to it. */
const asRoot = ['-o', 'APT::Sandbox::User=root'];

/**
 * Of all that an install would bring, what programs need to run: libraries and Perl. The rest (debconf, adduser, dpkg, …)
 * is for the installation itself.
 * @param {string} printedUris output of `apt-get install --print-uris`
 * @param {string[]} wanted
 * @returns {string[]} `name=version`, as apt takes it
 * @public for the tests
 */
export function packagesToUnpack(printedUris, wanted) {
  const files = [...printedUris.matchAll(/^'[^']+' (\S+)_(\S+)_\S+\.deb \d/gm)];
  return files
    .map(([, name, version]) => ({ name, version: decodeURIComponent(version) }))
    .filter(({ name }) => wanted.includes(name) || needed.test(name))
    .map(({ name, version }) => `${name}=${version}`);
}

/** `exim4-base` holds no program that is run here; Python's library is linked to, its modules are not used. */
const needed = /^(?:lib(?!python.*-(?:stdlib|minimal)$|pam-)|perl|zlib)/;
