import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { waitUntil } from './wait-until.js';

const ROOT = resolve(__dirname, '../..');
/** A part of util-linux that every Debian has; other systems' `script` takes other options. */
const SCRIPT = '/usr/bin/script';
const PATIENCE_MS = 120_000;

/** For tests that need a terminal: skipped where there is none to be had, but not in CI. */
export const describeInTerminal =
  process.platform === 'linux' && (existsSync(SCRIPT) || process.env['CI']) ? describe : describe.skip;

export interface Terminal {
  /** Everything that the screen was sent: each line that was cleared and drawn anew is one of its own. */
  output(): string;
  /** Waits until the output has a match. */
  shown(pattern: RegExp): Promise<string>;
  type(keys: string): void;
  readonly exitCode: Promise<number>;
}

/** Runs a command line of a shell on a real terminal of 100 columns. */
export function startInTerminal(command: string, env: Readonly<Record<string, string>>): Terminal {
  const run = process.env['MAILVET_RUN_FOLDER']; // lets the script that runs the tests find what a killed test left
  const bare = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...(run && { MAILVET_RUN_FOLDER: run }) };
  const child = spawn(SCRIPT, ['-qefc', `stty cols 100 rows 24; exec ${command}`, '/dev/null'], {
    cwd: ROOT,
    env: { ...bare, SHELL: '/bin/sh', TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const exitCode = new Promise<number>((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code) => settle(code ?? -1));
  });
  const output = (): string => screen.replaceAll('\r\u001b[K', '\n').replaceAll('\r\n', '\n');
  return {
    output,
    async shown(pattern) {
      const found = await waitUntil(async () => pattern.exec(output())?.[0], { ms: PATIENCE_MS, gone: exitCode });
      const match = found ?? pattern.exec(output())?.[0];
      if (match === undefined) throw new Error(`the terminal does not show ${String(pattern)}:\n${output()}`);
      return match;
    },
    type: (keys) => void child.stdin.write(keys),
    exitCode,
  };
}
