/** Says which of the two builds holds CommonJS, as the package says `module`. */
import { writeFileSync } from 'node:fs';

writeFileSync(new URL('dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
