import { runCli } from './roles/cli.js';

// The callback of each write tells the command of a failure; without a listener the stream would throw it as well.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), {
    stdout: (text, done) => void process.stdout.write(text, done),
    stderr: (text) => process.stderr.write(text),
  });
}

void main();
