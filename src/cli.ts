import { runCli } from './roles/cli.js';

// The callback of each write tells the command of a failure; without a listener the stream would throw it as well.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

/** Of a terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80;

async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), {
    stdout: (output, done) => void process.stdout.write(output, done),
    stderr: (text) => process.stderr.write(text),
    columns: () => (process.stderr.isTTY ? process.stderr.columns || USUAL_COLUMNS : null),
  });
}

void main();
