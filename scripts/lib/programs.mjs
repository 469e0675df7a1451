import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where servers stand that are not on an ordinary user's PATH: Debian's sbin, Fedora's libexec, Homebrew. */
const besidesPath = ['/usr/sbin', '/usr/local/sbin', '/sbin', '/usr/libexec', '/opt/homebrew/bin', '/usr/local/bin'];

/** The full path of the first of these programs that can be run, or null. */
export function findProgram(...names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...besidesPath];
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find(canRun);
    if (found) return found;
  }
  return null;
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
