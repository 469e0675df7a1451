import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startProduct, type Product } from '../support/product.js';

const TEXT = readFileSync(resolve(__dirname, '../../docs/quick-start.md'), 'utf8');
/** A program to be run, and what the document says it prints. */
const RUN = /<!-- run: (\S+) -->\n```\w*\n(.*?)```\n.*?<!-- prints -->\n```\w*\n(.*?)```\n/gs;
const PROGRAMS = [...TEXT.matchAll(RUN)].map(([, program = '', code = '', printed = '']) => ({
  program,
  code,
  printed,
}));
/** Reads the program from stdin. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  sh: ['-eu'],
  node: ['--input-type=module'],
  python3: ['-'],
};
const LIMIT_MS = 60_000;

let product: Product;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  product = await startProduct({ SMTP_CHECK_DOMAINS: 'none' });
  const { url } = await product.startApi();
  environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], MAILVET_URL: url };
  environment['MAILVET_KEY'] = await product.createKey('test');
});
afterAll(() => product?.close());

it('every program in the document can be run', () => {
  expect(PROGRAMS.map(({ program }) => program)).toEqual(['sh', 'node', 'python3']);
  expect(TEXT.split('<!-- run:')).toHaveLength(PROGRAMS.length + 1);
});

it.each(PROGRAMS)('$program prints what the document says', async ({ program, code, printed }) => {
  const needed = program === 'sh' ? 'curl' : program;
  if (spawnSync(needed, ['--version']).error !== undefined) {
    console.log(`skipped: ${needed} is not installed`);
    return;
  }
  const { exit, stderr, stdout } = await run(program, code);
  expect({ exit, stderr, stdout: stdout.trimEnd() }).toEqual({ exit: 0, stderr: '', stdout: printed.trimEnd() });
});

function run(program: string, code: string): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, [...ARGUMENTS[program]!], { env: environment, timeout: LIMIT_MS });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => void (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (text.stderr += chunk));
  child.stdin.end(code);
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => settle({ exit, ...text }));
  });
}
