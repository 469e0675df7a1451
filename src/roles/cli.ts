import { Command } from 'commander';
import { registerCommands } from './cli-commands.js';
import { CliContext } from './cli-context.js';
import { describeFault } from './cli-fault.js';

const PROGRAM = 'node dist/cli';
const DESCRIPTION = 'Mailvet operator command: accounts, keys and what else is managed from a shell.';

/** Where a run of the command writes. */
export interface CliStreams {
  stdout(text: string): void;
  stderr(text: string): void;
}

/**
 * Runs one operator command.
 * @param argv what was typed, without `node` and the script
 * @returns the exit code; with 1 one line stands on stderr, unless the command's own output says what is bad
 */
export async function runCli(argv: readonly string[], streams: CliStreams): Promise<0 | 1> {
  const context = new CliContext(PROGRAM, (text) => streams.stdout(text));
  const program = buildProgram(context, streams);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (isAnswered(error)) return 0;
    streams.stderr(`${describeFault(error, program, argv)}\n`);
    return 1;
  } finally {
    await context.close();
  }
}

/** The whole command, nothing run. */
export function buildProgram(context: CliContext, streams: CliStreams): Command {
  const program = new Command(PROGRAM)
    .description(DESCRIPTION)
    .exitOverride()
    // Commander's own messages span lines: describeFault writes them as one.
    .configureOutput({ writeOut: (text) => streams.stdout(text), writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false);
  registerCommands(program, context);
  return program;
}

/** Commander throws after `--help` too. */
function isAnswered(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'commander.helpDisplayed';
}
