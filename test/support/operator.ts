import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { waitUntil } from './wait-until.js';

const COMMAND_MS = 60_000;
const END_MS = 30_000;

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Operator {
  /** Runs one operator command to its end: `account`, `list`, `--json`. Throws when it takes longer than a minute. */
  run(...argv: string[]): Promise<CommandEnd>;
  /** Throws when what the commands left open keeps the process from ending. */
  stop(): Promise<void>;
}

/**
 * Operator commands of the built product, as `runProcess(['dist/cli', …])` runs them, but all in one process, which is
 * started for the first of them: loading the product takes most of the time of a command. What is about the process of a
 * command itself wants `runProcess`.
 * @param env added to a bare environment (PATH and HOME)
 */
export function startOperator(env: NodeJS.ProcessEnv): Operator {
  let child: ChildProcess | null = null;
  let lastId = 0;
  const waiting = new Map<number, (answer: CommandEnd | Error) => void>();
  const answer = (id: number, what: CommandEnd | Error): void => {
    waiting.get(id)?.(what);
    waiting.delete(id);
  };
  const failAll = (why: string): void => {
    for (const id of waiting.keys()) answer(id, new Error(why));
  };

  function start(): ChildProcess {
    const run = process.env['MAILVET_RUN_FOLDER'];
    const bare = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...(run && { MAILVET_RUN_FOLDER: run }) };
    const started = fork(resolve(__dirname, 'operator-process.cjs'), [], { env: { ...bare, ...env }, execArgv: [] });
    started.on('message', ({ id, ...end }: CommandEnd & { id: number }) => answer(id, end));
    started.once('error', (error) => failAll(error.message));
    started.once('exit', (code, signal) => failAll(`the process of operator commands ended with ${code ?? signal}`));
    return started;
  }

  return {
    async run(...argv) {
      child ??= start();
      const id = (lastId += 1);
      const answered = new Promise<CommandEnd | Error>((settle) => waiting.set(id, settle));
      child.send({ id, argv }, (error) => error && answer(id, error));
      const late = new Error(`${argv.join(' ')} did not end in ${COMMAND_MS} ms`);
      const timer = setTimeout(() => answer(id, late), COMMAND_MS);
      const end = await answered;
      clearTimeout(timer);
      if (end instanceof Error) throw end;
      return end;
    },
    async stop() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await waitUntil(async () => false, { ms: END_MS, gone: ended });
      if (child.exitCode === 0) return;
      child.kill('SIGKILL');
      throw new Error('an operator command left something open');
    },
  };
}
