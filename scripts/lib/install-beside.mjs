import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exclusively } from './exclusively.mjs';
import { npmCi } from './npm.mjs';
import { root } from './paths.mjs';
import { step } from './say.mjs';

const files = ['package.json', 'package-lock.json'];

/** Where the packages of `scripts/NAME` are installed. */
export const folderBeside = (name) => join(root, '.local', name);

/**
 * Installs the packages that `scripts/NAME/package-lock.json` names, beside those of the product; once for each set of versions.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ name: string, what: string, logs: string, needed: string[] }} packages `needed`: files without which they are installed again
 * @returns {Promise<string | null>} why they cannot be had; null: they are there
 */
export function installBeside(keeper, { name, what, logs, needed }) {
  const folder = folderBeside(name);
  const wanted = join(root, 'scripts', name);
  const isSame = (file) => textOf(join(folder, file)) === textOf(join(wanted, file));
  return exclusively(`${folder}.preparing`, async () => {
    if (files.every(isSame) && needed.every((file) => existsSync(join(folder, file)))) return null;
    return step(`${what} (npm ci)`, async () => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const file of files) copyFileSync(join(wanted, file), join(folder, file));
      const log = join(logs, `npm-ci-${name}.log`);
      const isInstalled = await npmCi(keeper, { name: `npm-ci-${name}`, args: [], cwd: folder, log });
      return isInstalled ? null : `npm could not install it: see ${log}`;
    });
  });
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
