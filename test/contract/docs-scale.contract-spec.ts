import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { callScriptFunction } from '../scripts/script-function.js';

const ROOT = resolve(__dirname, '../..');
const DOCUMENT = readFileSync(resolve(ROOT, 'docs/scale.md'), 'utf8');

describe('the cost model of docs/scale.md', () => {
  it('matches the output of node scripts/cost-model.mjs', async () => {
    const tables = (await callScriptFunction('cost-model.mjs', 'costTables')) as Record<string, string>;
    expect(Object.keys(tables)).toEqual(['figures', 'assumptions', 'months']);
    for (const [name, table] of Object.entries(tables)) {
      expect(DOCUMENT).toContain(`<!-- cost: ${name} -->\n${table}\n<!-- end of cost -->`);
    }
  });

  it('costs more in total and less per call with more calls, until addresses dominate', async () => {
    const months = (await Promise.all(
      [1e6, 1e7, 1e8, 1e9].map((calls) => callScriptFunction('cost-model.mjs', 'monthOf', calls)),
    )) as { dollars: number; perMillion: number; addresses: number; calls: number }[];
    const [one, ten, , thousand] = months;
    expect(one!.perMillion).toBeGreaterThan(ten!.perMillion);
    for (const { dollars } of months) expect(dollars).toBeGreaterThan(0);
    // 60 a minute for 730 hours, a fifth of it used on average; 21 % of calls are probes at the largest operator.
    expect(thousand!.addresses).toBe(Math.ceil((1e9 * 0.21) / ((60 * 60 * 730) / 5)));
  });
});

describe('keys in Redis', () => {
  it('have a hash tag, so that all keys of a script are on one node of a cluster', () => {
    const found = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/['`](mailvet:[^'`]*)['`]/g)].map(
          ([, key = '']) => [relative(ROOT, file), key] as const,
        ),
      );
    // A channel is no key: a cluster passes what is published on to every node.
    const channels = found.filter(([, key]) => key.startsWith('mailvet:flights:'));
    const keys = found.filter(([, key]) => !key.startsWith('mailvet:flights:'));
    expect(channels).toHaveLength(1);
    expect(keys.length).toBeGreaterThanOrEqual(3);
    for (const [file, key] of keys)
      expect([file, key]).toEqual([file, expect.stringMatching(/^mailvet:[a-z]+:\{[^}]+\}/)]);
    for (const [, key] of keys) expect(DOCUMENT).toContain(`\`${/^mailvet:[a-z]+:\{/.exec(key)![0]}`);
  });
});
