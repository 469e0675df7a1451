import type { Command } from 'commander';
import { MODES } from '../engine/verdict/result.js';
import type { CommandContext } from '../platform/cli/command-context.js';
import { typedValue, wholeNumber } from '../platform/cli/typed-value.js';
import { KINDS } from './output/verdict-cells.js';
import type { VerifyFileOptions } from './verify-file-options.js';

const mode = typedValue(`must be one of ${MODES.join(', ')}`, (text) => MODES.find((known) => known === text) ?? null);
const only = typedValue(`must be one of ${KINDS.join(', ')}`, (text) => KINDS.find((known) => known === text) ?? null);

/** `verify-file IN --out OUT`: verifies the addresses of a file from a shell. Needs no key, credits or database. */
export function registerVerifyFileCommand(program: Command, context: CommandContext): void {
  program
    .command('verify-file')
    .description('verify the addresses of a CSV, TSV or text file from this machine')
    .argument('<in>', 'the file; - reads stdin')
    .requiredOption('--out <out>', 'the file to write: the input with verdicts as columns; - writes stdout')
    .option('--column <column>', 'name or number of the column with the addresses; found out by default')
    .option('--mode <mode>', MODES.join(', '), mode, 'standard')
    .option('--concurrency <n>', 'parts of the list asked about at once', wholeNumber(1, 1000), 20)
    .option('--only <kind>', `write only rows that are ${KINDS.join(', ')}`, only)
    .action(
      context.action(async (input: string, options: VerifyFileOptions) => {
        const { verifyFile } = await import('./verify-file.js');
        return verifyFile(context, input, options);
      }),
    );
}
