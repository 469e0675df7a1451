import { existsSync } from 'node:fs';
import { installWithApt } from './apt.mjs';
import { findProgram } from './programs.mjs';
import { say, step } from './say.mjs';

/** Where Debian, Fedora and MariaDB's own packages put it. */
const places = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib/libgalera_smm.so',
  '/usr/lib64/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
];

/**
 * The library that makes a MariaDB a node of a Galera cluster; null where there is none.
 * @public for the tests
 */
export function findGalera() {
  return places.find((path) => existsSync(path)) ?? null;
}

/** Installs the library as root with apt where it is missing. It is no service: MariaDB loads it where it is told to. */
export async function installGalera() {
  if (findGalera() !== null) return;
  if (process.getuid?.() === 0 && findProgram('apt-get') !== null) {
    await step('Installing galera-4 with apt', () => installWithApt(['galera-4']));
    return;
  }
  say('Galera was not found here: its test is skipped. To run it, install it:');
  say('  Debian   sudo apt-get install --no-install-recommends galera-4');
}
