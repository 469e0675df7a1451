import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PRODUCT_FOLDER } from '../process/product-folder.js';

/** Compiled migrations are in dist/migrations; tests run the sources. */
const EXTENSION = extname(__filename);
const FOLDER = join(PRODUCT_FOLDER, EXTENSION === '.ts' ? 'migrations' : 'dist/migrations');

/** All migrations of this build, for a command that runs them. A server does not load them: it needs their moments only. */
export const MIGRATION_FILES = join(FOLDER, `*${EXTENSION}`);

let moments: readonly string[] | undefined;

/** The moments of this build's migrations, in order: a file and the class in it are named by one, in milliseconds. */
export function migrationMoments(): readonly string[] {
  moments ??= readdirSync(FOLDER)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, file.indexOf('-')))
    .toSorted();
  return moments;
}
