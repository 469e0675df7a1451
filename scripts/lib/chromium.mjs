import { installWithApt } from './apt.mjs';
import { findProgram } from './programs.mjs';
import { say, step } from './say.mjs';

/** One that has a window to draw does, too. */
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser'];
const [packageName] = programs;

/** Debian's Chromium, which the tests of the console's page drive. Installed as root with apt where it is missing. */
export async function installChromium() {
  const plan = planChromium({
    found: findProgram(...programs) !== null,
    isRoot: process.getuid?.() === 0,
    hasApt: findProgram('apt-get') !== null,
  });
  if (plan === 'install') await step(`Installing ${packageName} with apt`, () => installWithApt([packageName]));
  if (plan === 'tell') {
    say('Chromium was not found here: the tests of the console in a browser are skipped. To run them, install it:');
    say(`  Debian   sudo apt-get install --no-install-recommends ${packageName}`);
  }
}

/**
 * @param {{ found: boolean, isRoot: boolean, hasApt: boolean }} facts
 * @returns {'nothing' | 'install' | 'tell'}
 * @public for the tests
 */
export function planChromium({ found, isRoot, hasApt }) {
  if (found) return 'nothing';
  return isRoot && hasApt ? 'install' : 'tell';
}
