import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { listVariables } from '../../src/platform/config/load-config.js';
import { buildText, hasKustomize } from './kubernetes/kustomize.js';

const ROOT = resolve(__dirname, '../..');
const variables = listVariables();
/** Node and the C library read them. */
const OF_NODE = new Set(['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX']);
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

describe.each(['docs/deployment.md', 'docs/scale.md'])('%s', (document) => {
  const text = read(document);

  it('names only existing variables', () => {
    const shouted = [...text.matchAll(/`([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
    expect(shouted.length).toBeGreaterThan(3);
    expect(shouted.filter((name) => !OF_NODE.has(name) && !variables.has(name))).toEqual([]);
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

const yamlBlocks = [...read('docs/deployment.md').matchAll(/^( *)```yaml\n([^]*?)```/gm)].map(
  ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
);

(hasKustomize ? describe : describe.skip)('the kustomization of docs/deployment.md', () => {
  it('can be built, with its settings', () => {
    const manifests = buildText((inFolder) => yamlBlocks[0]!.replaceAll('../mailvet/docker/k8s', inFolder('')));
    const configuration = manifests.find(({ kind }) => kind === 'ConfigMap');
    expect(configuration).toMatchObject({ data: { DNS_SERVERS: '10.43.0.53', CONSOLE_HOST: '0.0.0.0' } });
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Ingress', 'PodMonitor', 'ScaledObject']),
    );
  });
});

it('YAML blocks of docs/deployment.md are valid, and set existing variables', () => {
  const blocks = yamlBlocks.map(
    (block) => parse(block) as { readonly configMapGenerator?: readonly { readonly literals: readonly string[] }[] },
  );
  expect(blocks).toHaveLength(2);
  const literals = blocks[0]?.configMapGenerator?.flatMap((one) => one.literals) ?? [];
  expect(literals.map((literal) => literal.split('=')[0] ?? '').filter((name) => !variables.has(name))).toEqual([]);
});
