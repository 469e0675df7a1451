import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from './wait-until.js';

const root = resolve(__dirname, '..', '..');
const maxLog = 2_000_000;

export interface StartOptions {
  /** Added to a bare environment (PATH and HOME): what the test does not set is not set. */
  readonly env?: NodeJS.ProcessEnv;
  /** Resolves something truthy once the process is up; asked ten times a second. */
  readonly isReady?: () => Promise<boolean>;
  readonly readyMs?: number;
  /** A file that gets what it writes to stdout; `output()` is then what it writes to stderr. */
  readonly stdout?: string;
}

export interface StartedProcess {
  readonly pid: number;
  /** Everything it wrote so far, stdout and stderr in the order they came (the last 2 MB). */
  output(): string;
  /** How it ended: its exit code, or 128 + the signal's number as a shell says it. */
  readonly exitCode: Promise<number>;
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, then the exit code. Throws when it is still there after `graceMs`, and kills it. */
  stop(graceMs?: number): Promise<number>;
}

/**
 * Starts a built process (`['dist/main']`, `['dist/worker']`) and waits until it is ready. When it ends before, or is
 * not ready in time, it is killed and its output is in the error.
 */
export async function startProcess(args: readonly string[], options: StartOptions = {}): Promise<StartedProcess> {
  const started = spawnNode(args, options.env, options.stdout);
  if (!options.isReady) return started;
  const ready = await waitUntil(options.isReady, {
    ms: options.readyMs ?? 150_000,
    everyMs: 100,
    gone: started.exitCode,
  });
  if (ready) {
    void started.exitCode.then((code) => sayWhyItEnded(args, code, started.output()));
    return started;
  }
  started.kill('SIGKILL');
  throw new Error(`node ${args.join(' ')} did not become ready (exit ${await started.exitCode}):\n${started.output()}`);
}

/** Its test may only see that nobody answers any more. */
function sayWhyItEnded(args: readonly string[], code: number, output: string): void {
  const asked = [0, 128 + constants.signals.SIGKILL, 128 + constants.signals.SIGTERM];
  if (asked.includes(code)) return;
  process.stdout.write(`node ${args.join(' ')} ended by itself (exit ${code}):\n${output.slice(-4000)}\n`);
}

/** Runs a built command (`['dist/cli', 'migrate', '--json']`) to its end. Killed after `ms`. */
export async function runProcess(
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
  ms = 180_000,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const started = spawnNode(args, env);
  const timer = setTimeout(() => started.kill('SIGKILL'), ms);
  const code = await started.exitCode;
  clearTimeout(timer);
  return { code, stdout: started.stdout(), stderr: started.stderr() };
}

/** For `isReady`: true once a GET of this address answers 200. */
export function answersOk(url: string): () => Promise<boolean> {
  return async () => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  };
}

interface SpawnedProcess extends StartedProcess {
  stdout(): string;
  stderr(): string;
}

/** The last 2 MB of what a process wrote. Joins the pieces only when asked: a busy process writes many. */
class LogTail {
  private pieces: string[] = [];
  private length = 0;

  add(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length > 2 * maxLog) this.shorten();
  }

  text(): string {
    this.shorten();
    return this.pieces[0] ?? '';
  }

  private shorten(): void {
    this.pieces = [this.pieces.join('').slice(-maxLog)];
    this.length = this.pieces[0]!.length;
  }
}

function spawnNode(args: readonly string[], env: NodeJS.ProcessEnv = {}, file?: string): SpawnedProcess {
  const bare = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const run = process.env['MAILVET_RUN_FOLDER']; // lets the script that runs the tests find what a killed test left
  const stdout = file === undefined ? ('pipe' as const) : openSync(file, 'a');
  const child = spawn(process.execPath, [join(root, args[0] ?? ''), ...args.slice(1)], {
    cwd: root,
    env: { ...bare, ...(run && { MAILVET_RUN_FOLDER: run }), ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  if (typeof stdout === 'number') closeSync(stdout);
  const text = { all: new LogTail(), stdout: new LogTail(), stderr: new LogTail() };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[stream].add(chunk);
      text.all.add(chunk);
    });
  }
  const exitCode = new Promise<number>((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => settle(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  const kill = (signal: NodeJS.Signals) => void child.kill(signal);
  return {
    pid: child.pid ?? -1,
    output: () => text.all.text(),
    stdout: () => text.stdout.text(),
    stderr: () => text.stderr.text(),
    exitCode,
    kill,
    async stop(graceMs = 35_000) {
      kill('SIGTERM');
      const inTime = new AbortController();
      const late = delay(graceMs, 'late' as const, { signal: inTime.signal }).catch(() => 'late' as const);
      const ended = await Promise.race([exitCode, late]);
      inTime.abort();
      if (ended !== 'late') return ended;
      kill('SIGKILL');
      throw new Error(`node ${args.join(' ')} was still there ${graceMs} ms after SIGTERM:\n${text.all.text()}`);
    },
  };
}
