import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './paths.mjs';

/**
 * A hash over the names and contents of files: it changes exactly when a build of them could. By content rather than
 * by time, as a fresh clone or a switch of branches gives every file a new time.
 * @param {string[]} paths files and folders under the project; those that do not exist count as empty
 */
export function fingerprint(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const file of paths.flatMap((path) => filesUnder(join(root, path)))) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[.-]spec\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
