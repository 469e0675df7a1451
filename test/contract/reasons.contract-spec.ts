import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { REASON_MEANINGS } from '../../src/engine/verdict/reason-meanings.js';

it('docs/api.md says of every reason what the operator command says of it', () => {
  const text = readFileSync(resolve(__dirname, '../../docs/api.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| `[a-z_]+` \| [a-z_]+ \|/.test(line));
  const shown = rows.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  const meanings = new Map(shown.map(([, reason, , meaning]) => [reason, meaning]));
  expect(Object.fromEntries(meanings)).toMatchObject(REASON_MEANINGS);
});
