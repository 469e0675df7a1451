import { runCli } from '../../src/roles/cli.js';

/** Operator commands of this process, on the database of `DATABASE_URL`. */
async function run(argv: readonly string[]) {
  let [stdout, stderr] = ['', ''];
  const code = await runCli(argv, {
    stdout: (text, done) => {
      stdout += text;
      done();
    },
    stderr: (text) => void (stderr += text),
  });
  return { code, stdout, stderr };
}

/** What a command that is done prints with `--json`. */
export async function json<T>(...argv: string[]): Promise<T> {
  const { code, stdout, stderr } = await run([...argv, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

/** What a command that is done prints for a person. */
export async function shown(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(argv);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trimEnd();
}

/** The one line on stderr of a command that is not done. */
export async function fault(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(argv);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  return stderr.trimEnd();
}
