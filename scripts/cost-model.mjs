/** node scripts/cost-model.mjs: writes the tables of the cost model into docs/scale.md, from `lib/cost-model.mjs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costTables } from './lib/cost-model.mjs';
import { root } from './lib/paths.mjs';

const file = join(root, 'docs', 'scale.md');
let text = readFileSync(file, 'utf8');
for (const [name, table] of Object.entries(costTables())) {
  text = text.replace(
    new RegExp(`(<!-- cost: ${name} -->\n)[^]*?(<!-- end of cost -->)`),
    (_, begin, end) => `${begin}${table}\n${end}`,
  );
}
writeFileSync(file, text);
