import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const KEEPER = resolve(__dirname, '../../../scripts/lib/keeper.mjs');

/** A server, as a process that goes on until it is ended. */
export interface ServerTask {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A log that the server writes itself, by its path inside of the tree. */
  readonly ownLog?: string;
}

interface Message {
  readonly id?: number;
  readonly value?: { readonly pid: number };
  readonly error?: string;
  readonly holder?: unknown;
  readonly ended?: number;
}

/**
 * The keeper of the scripts, for a test: a process of its own that starts servers and ends them when it is told to, or
 * when the test process is gone, kill -9 included.
 */
export class Keeper {
  private readonly asked = new Map<number, (message: Message) => void>();
  private readonly watched = new Map<number, () => void>();

  private constructor(
    private readonly child: ChildProcess,
    /** Rejects when the keeper is gone. */
    private readonly gone: Promise<never>,
  ) {
    child.on('message', (message: Message) => {
      if (message.id !== undefined) this.asked.get(message.id)?.(message);
      if (message.ended !== undefined) this.watched.get(message.ended)?.();
    });
  }

  /** @param folder an existing one that is used by nobody else; what an earlier keeper of it left behind is ended */
  static async open(folder: string): Promise<Keeper> {
    const child = fork(KEEPER, [folder], {
      detached: true,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const gone = once(child, 'exit').then(() => {
      throw new Error('the keeper of the servers has ended');
    });
    gone.catch(() => undefined); // its end is asked for as well
    const [first] = (await Promise.race([once(child, 'message'), gone])) as [Message];
    if (first.holder) throw new Error(`${folder} is another run's`);
    return new Keeper(child, gone);
  }

  /** @param log file that gets its output. @returns `ended` settles when the process has ended, for whatever reason */
  async start(task: ServerTask, log: string): Promise<{ readonly ended: Promise<void> }> {
    const id = this.asked.size + 1;
    const answer = new Promise<Message>((settle) => {
      this.asked.set(id, settle);
    });
    this.child.send({ id, ask: 'start', graceMs: 5000, log, ...task });
    const { value, error } = await Promise.race([answer, this.gone]);
    if (value === undefined) throw new Error(`${task.name} could not be started: ${error}`);
    const ended = new Promise<void>((settle) => {
      this.watched.set(value.pid, settle);
    });
    return { ended };
  }

  /** Ends everything, last started first, and the keeper itself. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.send({ ask: 'end' });
    await gone;
  }
}
