/**
 * npm run check:regex: checks that every regular expression of the product takes linear time, so that no DNS record,
 * reply, file or request can block a process. Results are cached by the pattern's text.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { judgeRegex } from './lib/judge-regex.mjs';
import { root } from './lib/paths.mjs';
import { regexLiterals } from './lib/regex-literals.mjs';
import { say } from './lib/say.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'recheck', 'package.json'), 'utf8'));
const keptIn = join(root, 'node_modules', '.cache', `regex-${version}.json`);
const kept = readKept();

const literals = readdirSync(join(root, 'src'), { recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .flatMap((file) => regexLiterals(join('src', file), readFileSync(join(root, 'src', file), 'utf8')));

const verdicts = new Map();
const faults = [];
for (const { where, text, built } of literals) {
  const fault = built ? 'is put together while the program runs: write it down as a literal' : await verdictOn(text);
  if (fault !== null) faults.push(`${where}  ${text}\n    ${fault}`);
}
mkdirSync(dirname(keptIn), { recursive: true });
writeFileSync(keptIn, JSON.stringify([...verdicts]));

say(faults.length === 0 ? `${literals.length} regular expressions, all linear.` : faults.join('\n'));
process.exit(faults.length === 0 ? 0 : 1);

async function verdictOn(text) {
  if (!verdicts.has(text)) verdicts.set(text, kept.has(text) ? kept.get(text) : await judgeRegex(text));
  return verdicts.get(text);
}

function readKept() {
  try {
    return new Map(JSON.parse(readFileSync(keptIn, 'utf8')));
  } catch {
    return new Map();
  }
}
