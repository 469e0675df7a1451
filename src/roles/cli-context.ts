import type { Command } from 'commander';
import { userInfo } from 'node:os';
import type { CommandAction, CommandContext, CommandOutput } from '../platform/cli/command-context.js';
import type { Settings } from '../platform/config/load-config.js';
import type { openDatabase } from '../platform/database/open-database.js';

type Database = ReturnType<typeof openDatabase>;

/** One run of the operator command: opens what a command asks for, prints what it returns, closes all of it. */
export class CliContext implements CommandContext {
  readonly operator = `operator:${userName()}`;
  /** What the process is to exit with. */
  exitCode: 0 | 1 = 0;
  private json = false;
  private loading: Promise<Settings> | null = null;
  private opening: Database | null = null;
  private readonly closing: (() => Promise<void>)[] = [];

  constructor(
    readonly programName: string,
    private readonly print: (text: string) => void,
  ) {}

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
    if (!this.json) this.print(`${line}\n`);
  }

  action(run: (...given: never[]) => Promise<CommandOutput>): CommandAction {
    return async (...given) => {
      const command = given.at(-1) as Command;
      this.json = command.opts()['json'] === true;
      const { json, text, exitCode = 0 } = await run(...(given.slice(0, -1) as never[]));
      this.print(`${this.json ? JSON.stringify(json) : text}\n`);
      this.exitCode = exitCode;
    };
  }

  /** Never rejects: the command has been done, whatever becomes of its connections. */
  async close(): Promise<void> {
    for (const close of this.closing.toReversed()) await close().catch(() => undefined);
  }

  private async open(): Database {
    const [{ secrets }, { openDatabase: open }] = await Promise.all([
      this.settings(),
      import('../platform/database/open-database.js'),
    ]);
    const database = await open(secrets.database);
    this.onClose(() => database.destroy());
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
