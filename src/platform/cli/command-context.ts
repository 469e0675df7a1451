import type { Settings } from '../config/load-config.js';
import type { openDatabase } from '../database/open-database.js';

/** The output of a command. The command returns it, and one place prints it. */
export interface CommandOutput {
  /** The JSON value that `--json` prints. */
  readonly json: unknown;
  /** The same as text, without the last line break. */
  readonly text: string;
  /** 1 if the command worked and found a problem, such as an audit with mismatches. */
  readonly exitCode?: ExitCode;
}

/** 3: a part is missing for reasons of our own; 130: ended by Ctrl-C, SIGTERM or SIGHUP. */
export type ExitCode = 0 | 1 | 3 | 130;

/** Where a command that takes long says how far it is: stderr. */
export interface StatusOutput {
  /** Width of the terminal; null if stderr is none. */
  readonly columns: number | null;
  write(text: string): void;
}

/**
 * What commands are given. Nothing is read or opened before it is asked for, so that `--help` needs no configuration and
 * no database, and all that was opened is closed when the command has ended, however it ends.
 *
 * A feature registers its commands in `<noun>.command.ts`:
 *
 *     export function registerPlanCommands(program: Command, context: CommandContext): void {
 *       const plan = program.command('plan').description('What accounts may do');
 *       plan
 *         .command('list')
 *         .description('all plans')
 *         .action(
 *           context.action(async () => {
 *             const { PlanRepository } = await import('./plan.repository.js');
 *             const plans = await new PlanRepository(await context.database()).list();
 *             return { json: plans, text: table(['NAME'], plans.map(({ name }) => [name])) };
 *           }),
 *         );
 *     }
 *
 * and `roles/cli-commands.ts` names it. `--json` is added to every command there. What is heavy to load is imported
 * inside the action.
 */
export interface CommandContext {
  /** The operator, for the audit log: `operator:<user of the operating system>`. */
  readonly operator: string;
  /** How this program is started: `node dist/cli`. For messages that suggest a command. */
  readonly programName: string;
  /** @throws ConfigFault */
  settings(): Promise<Settings>;
  /**
   * The connected database, the same at every call.
   * @throws the driver's error
   */
  database(): ReturnType<typeof openDatabase>;
  /** Registers cleanup for the end of the command; it runs in reverse order. */
  onClose(close: () => Promise<void>): void;
  /** Prints a line of text at once, for commands that take long; nothing with `--json`. */
  say(line: string): void;
  readonly status: StatusOutput;
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP; a second Ctrl-C or SIGTERM ends the process at once. */
  interruption(): AbortSignal;
  /**
   * Writes bytes to stdout and waits until they are written. They are then the command's only output there: its result is
   * printed on stderr.
   * @throws CommandError if they cannot be written
   */
  writeBytes(bytes: Uint8Array): Promise<void>;
  /**
   * Prints the output before the command has ended, and waits until it is written: so a secret that is shown once is
   * stored only if it could be shown. The command's result is then not printed.
   * @throws CommandError if it cannot be written, or the transaction that showed it is run again: stdout has one value
   */
  show(output: Pick<CommandOutput, 'json' | 'text'>): Promise<void>;
  /**
   * Wraps a command for `Command.action`: declared arguments come first, then options. Prints its result, or its error
   * as one line on stderr (`CommandError` for mistakes of the operator).
   */
  action(run: (...given: never[]) => Promise<CommandOutput>): CommandAction;
}

/** The arguments of commander: declared arguments, options, the command. */
export type CommandAction = (...given: unknown[]) => Promise<void>;
