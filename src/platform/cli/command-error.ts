import type { ExitCode } from './command-context.js';

/** A one-line error for the operator: what is wrong, the rule, and what to type instead. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: Exclude<ExitCode, 0> = 1,
  ) {
    super(message);
  }
}
