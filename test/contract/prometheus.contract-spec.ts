import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { callScriptFunction } from '../scripts/script-function.js';

const ROOT = resolve(__dirname, '../..');
type Found =
  | { readonly kind: 'ready'; readonly program: string }
  | { readonly kind: 'impossible'; readonly why: string };
let found: Found;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailvet-prometheus-'));
  found = (await callScriptFunction('promtool.mjs', 'findPromtool')) as Found;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Debian builds Prometheus without the discovery of pods. */
function withoutDiscovery(file: string): string {
  const { scrape_configs: jobs } = parse(readFileSync(resolve(ROOT, file), 'utf8')) as {
    scrape_configs: Record<string, unknown>[];
  };
  for (const job of jobs) delete job['kubernetes_sd_configs'];
  const copy = join(folder, 'scrape.yml');
  writeFileSync(copy, stringify({ scrape_configs: jobs }));
  return copy;
}

it.each([
  ['the alert rules', () => ['check', 'rules', 'docker/prometheus/alerts.yml']],
  ['the unit tests of the alert rules', () => ['test', 'rules', 'test/prometheus/alerts.test.yml']],
  [
    'the scrape configuration',
    () => ['check', 'config', '--syntax-only', withoutDiscovery('docker/prometheus/scrape.yml')],
  ],
])('Prometheus accepts %s', async (_what, args) => {
  if (found.kind === 'impossible') {
    console.warn(`SKIPPED: ${found.why}`);
    return;
  }
  const { stdout } = await promisify(execFile)(found.program, args(), { cwd: ROOT });
  expect(stdout).toContain('SUCCESS');
});
