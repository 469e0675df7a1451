import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with package.json, `dist/`, `migrations/` and `web/`: the same for sources, compiled modules and the bundle. */
export const PRODUCT_FOLDER: string = above(__dirname);

function above(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`no package.json above ${__dirname}`);
  return above(parent);
}
