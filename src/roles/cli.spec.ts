import { generateApiKey } from '../auth/api-key.js';
import { PRODUCT_VERSION } from '../platform/process/product-version.js';
import { CommitUnknown } from '../platform/database/retried-transaction.js';
import { retryLockConflicts } from '../platform/database/retry-lock-conflicts.js';
import { CliContext } from './cli-context.js';
import { leavesOf } from './cli-commands.js';
import { describeFault } from './cli-fault.js';
import { CliOutput } from './cli-output.js';
import { buildProgram, runCli } from './cli.js';

async function run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  const code = await runCli(argv, {
    stdout: (chunk, done) => {
      text.stdout += chunk;
      done();
    },
    stderr: (chunk) => void (text.stderr += chunk),
  });
  return { code, ...text };
}

const ID = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';

/** Every command as typed, with the arguments that it requires. */
const PROGRAM = buildProgram({ action: () => async () => undefined } as unknown as CliContext, new CliOutput(() => {}));
const COMMANDS = leavesOf(PROGRAM).map((command) => {
  const path: string[] = [];
  for (let one = command; one.parent !== null; one = one.parent) path.unshift(one.name());
  return { path, required: command.registeredArguments.filter((argument) => argument.required) };
});
const typed = COMMANDS.map(({ path }) => path.join(' '));

describe('every command', () => {
  it.each(typed)('%s suggests a command after an unknown option', async (line) => {
    const { code, stdout, stderr } = await run(...line.split(' '), '--jsno');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`error: unknown option '--jsno' (Did you mean --json?). Type: node dist/cli ${line} --help\n`);
  });

  it.each(COMMANDS.filter(({ required }) => required.length > 0).map(({ path }) => path.join(' ')))(
    '%s says what is missing',
    async (line) => {
      const { code, stdout, stderr } = await run(...line.split(' '));
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^error: (?:missing required argument|required option) '[^']+'.* Type: .* --help\n$/);
      expect(stderr).toContain(`Type: node dist/cli ${line} --help`);
    },
  );

  it.each(typed)('%s rejects an extra argument', async (line) => {
    const words = Array.from({ length: 5 }, () => ID);
    const { code, stdout, stderr } = await run(...line.split(' '), ...words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(`Type: node dist/cli ${line} --help`);
  });
});

it('what a transaction showed is not shown again where its COMMIT lost against another: the command fails', async () => {
  let stdout = '';
  const output = new CliOutput((chunk, done) => {
    stdout += chunk;
    done();
  });
  const context = new CliContext('node dist/cli', output);
  const create = async (): Promise<void> => {
    await context.show({ json: {}, text: 'mv_live_…' });
    throw Object.assign(new Error('Deadlock found'), { errno: 1213 });
  };
  await expect(retryLockConflicts(create)).rejects.toThrow('nothing has changed; type the command again');
  expect(stdout).toBe('mv_live_…\n');
});

it('a COMMIT without an answer: the error says that the change may be made', () => {
  const error = new CommitUnknown(new Error('read ECONNRESET'));
  expect(describeFault(error, PROGRAM, [])).toMatch(
    /^error: the connection .* the change is made, or not; look before/,
  );
});

describe('a database that takes no writes', () => {
  it.each([
    ['ER_OPTION_PREVENTS_STATEMENT', 'the database takes no writes'],
    ['ER_TABLEACCESS_DENIED_ERROR', 'the user of the database may not do this'],
  ])('%s: the error says what to do', (code, words) => {
    const error = Object.assign(new Error('secret'), { driverError: Object.assign(new Error('secret'), { code }) });
    expect(describeFault(error, PROGRAM, [])).toMatch(new RegExp(`^error: ${words} \\(${code}\\): .*DATABASE_URL`));
  });
});

describe('the operator command', () => {
  it.each([[[]], [['--help']], [['account', '--help']], [['key', 'create', '--help']], [['migrate', '-h']]])(
    'helps without configuration or database: %j',
    async (argv) => {
      const { code, stdout, stderr } = await run(...argv);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: node dist\/cli/);
    },
  );

  it.each([
    [['acount', 'list'], "unknown command 'acount' (Did you mean account?). Type: node dist/cli --help"],
    [['account', 'lst'], "unknown command 'lst' (Did you mean list?). Type: node dist/cli account --help"],
    [['key'], 'key needs one of: create, list, rotate, revoke. Type: node dist/cli key --help'],
    [
      ['account', 'create', '--name', 'x'],
      "required option '--plan <plan>' not specified. Type: node dist/cli account create --help",
    ],
    [
      ['account', 'create', '--name', ' ', '--plan', 'free'],
      '--name <name>: must be 1 to 100 printable characters. Type: node dist/cli account create --help',
    ],
    [
      ['key', 'create', ID, '--mode', 'prod'],
      '--mode <mode>: Allowed choices are live, test. Type: node dist/cli key create --help',
    ],
    [
      ['key', 'list', 'acme'],
      '<account>: must be the id of an account, as `account list` shows it. Type: node dist/cli key list --help',
    ],
    [
      ['key', 'rotate', ID, '--grace', 'a\nday'],
      '--grace <period>: must be 0 or a whole number with s, m, h or d, such as 30m or 24h, at most 90d. Type: node dist/cli key rotate --help',
    ],
    [['key', 'revoke'], "missing required argument 'key'. Type: node dist/cli key revoke --help"],
    [['migrate', '--force'], "unknown option '--force'. Type: node dist/cli migrate --help"],
    [
      ['key', 'create', ID, '--mdoe', 'live'],
      "unknown option '--mdoe' (Did you mean --mode?). Type: node dist/cli key create --help",
    ],
    [
      ['verify', '-x@example.com'],
      'an address that begins with a hyphen is taken for an option. Type: node dist/cli verify -- ADDRESS',
    ],
  ])('explains in one line what is wrong with %j and what to type', async (argv, message) => {
    const { code, stdout, stderr } = await run(...argv);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`error: ${message}\n`);
  });

  it('prints the version of the package', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: `${PRODUCT_VERSION}\n`, stderr: '' });
  });

  it.each([
    ['EPIPE', "the output can't be written: its reader has closed the pipe"],
    ['ENOSPC', "the output can't be written: no space is left on the device"],
    ['EIO', "the output can't be written: EIO"],
  ])('reports in one line that its output failed with %s', async (code, message) => {
    let stderr = '';
    const ended = await runCli(['--help'], {
      stdout: (_, done) => done(Object.assign(new Error(code), { code })),
      stderr: (text) => void (stderr += text),
    });
    expect([ended, stderr]).toEqual([1, `error: ${message}\n`]);
  });

  it('does not repeat a key that was typed in place of an id', async () => {
    const key = generateApiKey('mv', 'live');
    for (const argv of [
      ['key', 'revoke', key],
      ['key', key],
      [key],
      ['account', 'list', key],
      ['migrate', `--${key}`],
    ]) {
      const { code, stdout, stderr } = await run(...argv);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).not.toContain(key.slice(8));
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});
