import { Command, CommanderError } from 'commander';
import { registerCommands } from './cli-commands.js';
import { CliContext } from './cli-context.js';
import { describeFault } from './cli-fault.js';
import { CliOutput, type WriteOutput } from './cli-output.js';
import { CommandError } from '../platform/cli/command-error.js';
import type { ExitCode } from '../platform/cli/command-context.js';
import { PRODUCT_VERSION } from '../platform/process/product-version.js';

const PROGRAM = 'node dist/cli';
const DESCRIPTION = 'Mailvet operator command: accounts, keys and what else is managed from a shell.';

/** Output streams of the command. */
export interface CliStreams {
  readonly stdout: WriteOutput;
  stderr(text: string): void;
  /** Width of the terminal that stderr is; null, or left out, if it is none. */
  readonly columns?: () => number | null;
}

/**
 * Runs one operator command.
 * @param argv the arguments, without `node` and the script
 * @returns the exit code; for an error stderr has one line, unless the command's own output reports the problem
 */
export async function runCli(argv: readonly string[], streams: CliStreams): Promise<ExitCode> {
  const output = new CliOutput(streams.stdout);
  const context = new CliContext(PROGRAM, output, streams);
  const program = buildProgram(context, output);
  try {
    await runCommand(program, argv);
    await output.flushed();
    return context.exitCode;
  } catch (error) {
    streams.stderr(`${describeFault(error, program, argv)}\n`);
    return error instanceof CommandError ? error.exitCode : 1;
  } finally {
    await context.close();
  }
}

async function runCommand(program: Command, argv: readonly string[]): Promise<void> {
  if (argv.length === 0) {
    program.outputHelp();
    return;
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!isAnswered(error)) throw error;
  }
}

/** Builds the whole program without running it. */
export function buildProgram(context: CliContext, output: CliOutput): Command {
  const program = new Command(PROGRAM)
    .description(DESCRIPTION)
    .version(PRODUCT_VERSION, '--version', 'print the version')
    .exitOverride()
    // Commander's own messages span lines: describeFault writes them as one.
    .configureOutput({ writeOut: (text) => output.write(text), writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false);
  registerCommands(program, context);
  return program;
}

/** Commander also throws after `--help` and `--version`. */
function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && ['commander.helpDisplayed', 'commander.version'].includes(error.code);
}
