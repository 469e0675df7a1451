import type { Settings } from '../config/load-config.js';
import type { openDatabase } from '../database/open-database.js';

/** What a command has to show. It returns it; printing is done in one place. */
export interface CommandOutput {
  /** The one JSON value that `--json` prints. */
  readonly json: unknown;
  /** The same for a person: lines without the last line break. */
  readonly text: string;
  /** 1 when the command was done and what it found is bad, such as an audit with mismatches. */
  readonly exitCode?: 0 | 1;
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
  /** Who types, for the audit log: `operator:<user of the operating system>`. */
  readonly operator: string;
  /** How a person starts this program: `node dist/cli`. For messages that say what to type. */
  readonly programName: string;
  /** @throws ConfigFault */
  settings(): Promise<Settings>;
  /** The database, connected. Asked for twice it is the same. @throws what the driver throws */
  database(): ReturnType<typeof openDatabase>;
  /** Has `close` called when the command has ended; the last registered first. */
  onClose(close: () => Promise<void>): void;
  /** Writes a line for a person at once, for commands that take long; nothing with `--json`. */
  say(line: string): void;
  /**
   * Prints what the command shows before it has ended, and waits until it is written: for a secret that is shown once, so that
   * it is stored only if it could be shown. What the command then returns is not printed.
   * @throws CommandError when it can't be written
   */
  show(output: Pick<CommandOutput, 'json' | 'text'>): Promise<void>;
  /**
   * Wraps what a command does for `Command.action`: the declared arguments come first, then the options. What it returns
   * is printed; what it throws becomes one line on stderr (`CommandError` for what who typed can mend).
   */
  action(run: (...given: never[]) => Promise<CommandOutput>): CommandAction;
}

/** As commander calls it: the declared arguments, the options, the command. */
export type CommandAction = (...given: unknown[]) => Promise<void>;
