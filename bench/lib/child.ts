import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Child<Told> {
  /** The first message of the process. */
  readonly told: Told;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/**
 * Starts one of `bench/processes` as its own process, so that its work does not count as ours. It sends one message
 * when it is ready, and exits when we disconnect or exit.
 */
export async function startChild<Told>(
  name: 'laboratory' | 'bulk-laboratory' | 'script-server' | 'naive-server' | 'lanes-server' | 'naive-job-server',
  argument = '',
): Promise<Child<Told>> {
  const child = fork(join(__dirname, '..', 'processes', `${name}.js`), [argument]);
  const ended = once(child, 'exit');
  const ready = once(child, 'message').then(([told]) => told as Told);
  const failed = ended.then((): never => {
    throw new Error(`the ${name} ended before it was ready`);
  });
  const told = await Promise.race([ready, failed]);
  return {
    told,
    pid: child.pid,
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
