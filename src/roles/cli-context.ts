import type { Command } from 'commander';
import { userInfo } from 'node:os';
import type {
  CommandAction,
  CommandContext,
  CommandOutput,
  ExitCode,
  StatusOutput,
} from '../platform/cli/command-context.js';
import { CommandError } from '../platform/cli/command-error.js';
import type { Settings } from '../platform/config/load-config.js';
import type { openDatabase } from '../platform/database/open-database.js';
import type { CliOutput } from './cli-output.js';

type Database = ReturnType<typeof openDatabase>;

/** One run of the operator command: opens its connections, prints its result, closes everything. */
export class CliContext implements CommandContext {
  readonly operator = `operator:${userName()}`;
  /** Exit code of the process. */
  exitCode: ExitCode = 0;
  readonly status: StatusOutput;
  private json = false;
  private shown = false;
  private stdoutTaken = false;
  private interrupting: AbortController | null = null;
  private loading: Promise<Settings> | null = null;
  private opening: Database | null = null;
  private readonly closing: (() => Promise<void>)[] = [];

  constructor(
    readonly programName: string,
    private readonly output: CliOutput,
    stderr: { stderr(text: string): void; readonly columns?: () => number | null } = { stderr: () => undefined },
  ) {
    this.status = {
      write: (text) => stderr.stderr(text),
      get columns() {
        return stderr.columns?.() ?? null;
      },
    };
  }

  settings(): Promise<Settings> {
    this.loading ??= import('../platform/config/load-config.js').then(({ loadConfig }) => loadConfig('cli'));
    return this.loading;
  }

  database(): Database {
    this.opening ??= this.open();
    return this.opening;
  }

  onClose(close: () => Promise<void>): void {
    this.closing.push(close);
  }

  say(line: string): void {
    if (!this.json) this.output.write(`${line}\n`);
  }

  async show({ json, text }: Pick<CommandOutput, 'json' | 'text'>): Promise<void> {
    if (this.shown)
      throw new CommandError('the database undid what was shown, and nothing has changed; type the command again');
    this.shown = true;
    if (this.stdoutTaken) {
      this.status.write(`${text}\n`);
      return;
    }
    this.output.write(`${this.json ? JSON.stringify(json) : text}\n`);
    await this.output.flushed();
  }

  async writeBytes(bytes: Uint8Array): Promise<void> {
    this.stdoutTaken = true;
    this.output.write(bytes);
    await this.output.flushed();
  }

  interruption(): AbortSignal {
    if (this.interrupting === null) {
      const interrupting = new AbortController();
      this.interrupting = interrupting;
      const signals = ['SIGINT', 'SIGTERM'] as const;
      const forget = (): void => signals.forEach((signal) => void process.off(signal, onSignal));
      const onSignal = (): void => {
        forget();
        interrupting.abort();
      };
      for (const signal of signals) process.on(signal, onSignal);
      // A terminal that closes: its line and its shell each send one.
      process.on('SIGHUP', onSignal);
      this.onClose(async () => {
        forget();
        process.off('SIGHUP', onSignal);
      });
    }
    return this.interrupting.signal;
  }

  action(run: (...given: never[]) => Promise<CommandOutput>): CommandAction {
    return async (...given) => {
      const command = given.at(-1) as Command;
      this.json = command.opts()['json'] === true;
      const output = await run(...(given.slice(0, -1) as never[]));
      if (!this.shown) await this.show(output);
      this.exitCode = output.exitCode ?? 0;
    };
  }

  /** Never rejects: the command is done, even if a connection fails to close. */
  async close(): Promise<void> {
    for (const close of this.closing.toReversed()) await close().catch(() => undefined);
  }

  private async open(): Database {
    const [{ secrets }, { openDatabase: open }, { OPERATOR_ENTITIES: entities }] = await Promise.all([
      this.settings(),
      import('../platform/database/open-database.js'),
      import('./operator-entities.js'),
    ]);
    const database = await open(secrets.database, { entities });
    this.onClose(() => database.destroy());
    if (secrets.databaseReplica !== null) {
      const { attachReplica } = await import('../platform/database/replica/stale-reads.js');
      const replica = attachReplica(database, secrets.databaseReplica);
      this.onClose(() => replica.close());
    }
    return database;
  }
}

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
