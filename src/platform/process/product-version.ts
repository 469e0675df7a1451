import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT_FOLDER } from './product-folder.js';

/** The version in package.json. */
export const PRODUCT_VERSION: string = (
  JSON.parse(readFileSync(join(PRODUCT_FOLDER, 'package.json'), 'utf8')) as { version: string }
).version;
