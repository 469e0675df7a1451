import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { listVariables } from '../../src/platform/config/load-config.js';

const ROOT = resolve(__dirname, '../..');
const variables = listVariables();
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

describe.each(['docs/deployment.md', 'docs/scale.md'])('%s', (document) => {
  const text = read(document);

  it('names only existing variables', () => {
    const shouted = [...text.matchAll(/`([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
    expect(shouted.length).toBeGreaterThan(3);
    expect(shouted.filter((name) => !variables.has(name))).toEqual([]);
  });

  it('links only to existing files', () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(resolve(ROOT, 'docs', link)))).toEqual([]);
  });

  it('names only existing files and metrics', () => {
    const files = [...text.matchAll(/`((?:docker|scripts|test)\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(resolve(ROOT, file)))).toEqual([]);
    const documented = read('docs/metrics.md');
    const metrics = [...text.matchAll(/`(mailvet_[a-z_]+)`/g)].map(([, metric = '']) => metric);
    expect(metrics.filter((metric) => !metric.startsWith('mailvet_test') && !documented.includes(metric))).toEqual([]);
  });
});

it('YAML blocks of docs/deployment.md are valid, and set existing variables', () => {
  const blocks = [...read('docs/deployment.md').matchAll(/^( *)```yaml\n([^]*?)```/gm)].map(
    ([, indent = '', block = '']) =>
      parse(block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')) as {
        readonly configMapGenerator?: readonly { readonly literals: readonly string[] }[];
      },
  );
  expect(blocks).toHaveLength(2);
  const literals = blocks[0]?.configMapGenerator?.flatMap((one) => one.literals) ?? [];
  expect(literals.map((literal) => literal.split('=')[0] ?? '').filter((name) => !variables.has(name))).toEqual([]);
});
