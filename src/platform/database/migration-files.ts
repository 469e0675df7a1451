import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PRODUCT_FOLDER } from '../process/product-folder.js';

/** Compiled migrations are in dist/migrations; tests run the sources. */
const EXTENSION = extname(__filename);
const FOLDER = join(PRODUCT_FOLDER, EXTENSION === '.ts' ? 'migrations' : 'dist/migrations');

/** All migrations of this build, for a command that runs them. A server does not load them: it needs their moments only. */
export const MIGRATION_FILES = join(FOLDER, `*${EXTENSION}`);

/** In milliseconds, until the year 2286. */
const MOMENT_DIGITS = 13;

let moments: readonly string[] | undefined;

/** The moments of this build's migrations, in order. The name of a file begins with one, that of its class ends with it. */
export function migrationMoments(): readonly string[] {
  moments ??= readdirSync(FOLDER)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, MOMENT_DIGITS))
    .toSorted();
  return moments;
}

/** The moment of a migration by the name of its class, which the database keeps. */
export function momentOf(name: string): string {
  return name.slice(-MOMENT_DIGITS);
}
