import { CommandError } from '../platform/cli/command-error.js';

/** Writes output and calls back when the process has written it, or with the error that prevented it. */
export type WriteOutput = (output: string | Uint8Array, done: (error?: Error | null) => void) => void;

/** The output of one command, written in order; stops after the first failure. */
export class CliOutput {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly writeOutput: WriteOutput) {}

  /** Never throws: `flushed` reports failures. */
  write(output: string | Uint8Array): void {
    this.last = this.last.then(() => this.writeNow(output));
    this.last.catch(() => undefined);
  }

  /** @throws CommandError when any text could not be written: a full disk, or a pipe that its reader closed */
  flushed(): Promise<void> {
    return this.last;
  }

  private writeNow(output: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.writeOutput(output, (error) => (error ? reject(unwritable(error)) : resolve()));
    });
  }
}

function unwritable(error: NodeJS.ErrnoException): CommandError {
  const reasons: Readonly<Record<string, string>> = {
    EPIPE: 'its reader has closed the pipe',
    ENOSPC: 'no space is left on the device',
  };
  return new CommandError(`the output can't be written: ${reasons[error.code ?? ''] ?? error.code ?? error.message}`);
}
