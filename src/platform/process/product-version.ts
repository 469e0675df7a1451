import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json, which stands beside `src` and beside `dist`. */
export const PRODUCT_VERSION: string = (
  JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as { version: string }
).version;
