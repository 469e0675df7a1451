import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Trouble } from './trouble.mjs';

/** The folder of the project: everything a script reads or writes stands under it. */
export const root = resolve(import.meta.dirname, '..', '..');

/** The folder of one run (`demo`, `start`, `test`, …): data, logs and secrets, readable by this user only. */
export function runFolder(name) {
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new Trouble(`"${name}" cannot be a name: lowercase letters, digits and dashes, a letter first.`);
  const folder = join(root, '.local', name);
  mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
  return folder;
}

/** A path as a person at the top of the project would type it. */
export function shortPath(path) {
  return relative(root, path) || '.';
}
