import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json, which is one level above `src` and `dist`. */
export const PRODUCT_VERSION: string = (
  JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as { version: string }
).version;
