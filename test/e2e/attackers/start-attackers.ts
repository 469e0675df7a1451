import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';

export interface Attackers {
  /** How often each attack was made so far. */
  counts(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

export interface AttackTarget {
  readonly url: string;
  /** Three, of accounts of the smallest plan. */
  readonly liveKeys: readonly string[];
  readonly testKey: string;
}

/**
 * Starts everybody who tries to stop the service, in a process of their own. It has a low priority: attackers have machines
 * of their own, and their computing is not a cost of the service. With the lowest it would get no processor beside other tests.
 */
export function startAttackers(target: AttackTarget): Attackers {
  const child = fork(resolve(__dirname, 'attackers.cjs'), [], { execArgv: [] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  child.send(target);
  return {
    async counts() {
      const answered = once(child, 'message');
      child.send('counts');
      const [{ counts }] = (await answered) as [{ counts: Record<string, number> }];
      return counts;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
