import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { callScriptFunction } from '../scripts/script-function.js';

const ROOT = resolve(__dirname, '../..');
type Found =
  | { readonly kind: 'ready'; readonly program: string }
  | { readonly kind: 'impossible'; readonly why: string };
let found: Found;

beforeAll(async () => {
  found = (await callScriptFunction('promtool.mjs', 'findPromtool')) as Found;
});

it.each([
  ['the alert rules', ['check', 'rules', 'docker/prometheus/alerts.yml']],
  ['the unit tests of the alert rules', ['test', 'rules', 'test/prometheus/alerts.test.yml']],
])('Prometheus accepts %s', async (_what, args) => {
  if (found.kind === 'impossible') {
    console.warn(`SKIPPED: ${found.why}`);
    return;
  }
  const { stdout } = await promisify(execFile)(found.program, args, { cwd: ROOT });
  expect(stdout).toContain('SUCCESS');
});
