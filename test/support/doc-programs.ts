import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
/** A program to be run, and what the document says it prints. */
const RUN = /<!-- run: (\S+) -->\n```\w*\n(.*?)```\n.*?<!-- prints -->\n```\w*\n(.*?)```\n/gs;
/** Reads the program from stdin. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  sh: ['-eu'],
  node: ['--input-type=module'],
  python3: ['-'],
};
const LIMIT_MS = 180_000;

export interface DocProgram {
  readonly program: string;
  readonly code: string;
  readonly printed: string;
}

/** The programs of a page of docs/. Throws if one of them has no output to be compared with. */
export function programsOf(page: string): readonly DocProgram[] {
  const text = readFileSync(resolve(ROOT, 'docs', page), 'utf8');
  const programs = [...text.matchAll(RUN)].map(([, program = '', code = '', printed = '']) => ({
    program,
    code,
    printed,
  }));
  if (text.split('<!-- run:').length !== programs.length + 1) throw new Error(`${page}: a program prints nothing`);
  return programs;
}

/** Whether this machine has what a program needs. */
export function isInstalled({ program }: DocProgram): boolean {
  return spawnSync(program === 'sh' ? 'curl' : program, ['--version']).error === undefined;
}

/** Runs a program in the folder of Mailvet. */
export function runProgram(
  { program, code }: DocProgram,
  env: NodeJS.ProcessEnv,
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const { PATH, HOME } = process.env;
  const child = spawn(program, [...ARGUMENTS[program]!], { cwd: ROOT, env: { PATH, HOME, ...env }, timeout: LIMIT_MS });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => void (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (text.stderr += chunk));
  child.stdin.end(code);
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => settle({ exit, ...text }));
  });
}
