import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { generateApiKey, parseApiKey } from '../../src/auth/api-key.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startOperator, type CommandEnd, type Operator } from '../support/operator.js';
import { runProcess } from '../support/processes.js';

let database: TestDatabase;
let operator: Operator;
let accountId: string;
/** Whatever the commands wrote, but for the keys they are meant to show. */
const written: string[] = [];

/** With an environment, an empty one too, it is a process of its own, as people run it. */
const cli = async (argv: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandEnd> => {
  const ended = env
    ? await runProcess(['dist/cli', ...argv], { DATABASE_URL: database.url, ...env })
    : await operator.run(...argv);
  written.push(ended.stderr);
  return ended;
};

/** The JSON value of a command that must succeed: alone on stdout, in one line, with silence on stderr. */
async function json<T>(...argv: string[]): Promise<T> {
  return onlyValue(await cli([...argv, '--json'])) as T;
}

function onlyValue({ code, stdout, stderr }: CommandEnd): unknown {
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([expect.any(String), '']);
  return JSON.parse(stdout);
}

/** The only line of a command that must fail. */
async function fault(argv: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout, stderr } = await cli(argv, env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.split('\n')).toEqual([expect.stringMatching(/^error: /), '']);
  return stderr.trimEnd();
}

interface Issued {
  id: string;
  key: string;
}

beforeAll(async () => {
  database = await createTestDatabase();
  operator = startOperator({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await operator?.stop();
  await database?.drop();
});

describe('before the database is migrated', () => {
  it('a command says to run migrate', async () => {
    expect(await fault(['account', 'list'], {})).toBe(
      'error: the database is not migrated to this release. Type: node dist/cli migrate',
    );
  });

  it('migrate applies pending migrations once', async () => {
    const { applied } = onlyValue(await cli(['migrate', '--json'], {})) as { applied: string[] };
    expect(applied.length).toBeGreaterThan(0);
    expect(await json('migrate')).toEqual({ applied: [] });
    expect((await cli(['migrate'])).stdout).toBe('The database is up to date.\n');
  });
});

describe('accounts', () => {
  it('are created, listed and shown', async () => {
    expect(await json('account', 'list')).toEqual([]);
    const account = await json<{ id: string }>('account', 'create', '--name', 'Söhne & Co', '--plan', 'starter');
    accountId = account.id;
    expect(account).toMatchObject({
      name: 'Söhne & Co',
      plan: 'starter',
      suspended_at: null,
      requests_per_minute: 300,
    });
    expect(await json('account', 'show', accountId)).toEqual(account);
    expect(await json('account', 'list')).toEqual([expect.objectContaining({ id: accountId, plan: 'starter' })]);
    expect((await cli(['account', 'list'])).stdout).toContain(`${accountId}  Söhne & Co  starter`);
  });

  it('change plans, are suspended and resumed', async () => {
    expect(await json('account', 'set-plan', accountId, 'growth')).toMatchObject({ plan: 'growth' });
    expect(await json('account', 'suspend', accountId)).toMatchObject({ suspended_at: expect.stringMatching(/Z$/) });
    expect(await json('account', 'resume', accountId)).toMatchObject({ suspended_at: null });
  });

  it('report unknown accounts and unknown plans', async () => {
    expect(await fault(['account', 'create', '--name', 'x', '--plan', 'gold'])).toBe(
      'error: --plan must be one of free, starter, growth, scale',
    );
    const unknown = 'error: no account has this id. To see them, type: node dist/cli account list';
    expect(await fault(['account', 'show', newId()])).toBe(unknown);
    expect(await fault(['key', 'create', newId(), '--mode', 'live', '--json'])).toBe(unknown);
  });
});

describe('keys', () => {
  let issued: Issued;
  let successor: Issued;

  it('are shown once, at their creation', async () => {
    issued = await json<Issued>('key', 'create', accountId, '--mode', 'live', '--name', 'web');
    expect(Object.keys(issued)).toEqual(['id', 'key']);
    expect(parseApiKey(issued.key, 'mv')).toEqual({ mode: 'live' });
    const listed = await cli(['key', 'list', accountId]);
    expect(listed.stdout).toContain(issued.key.slice(-4));
    expect(listed.stdout).not.toContain(issued.key);
  });

  it('have the prefix of the installation', async () => {
    const { stdout } = await cli(['key', 'create', accountId, '--mode', 'test', '--json'], { KEY_PREFIX: 'acme' });
    expect(parseApiKey((JSON.parse(stdout) as Issued).key, 'acme')).toEqual({ mode: 'test' });
  });

  it('are rotated, once each', async () => {
    const rotated = await json<Issued & { old_key_expires_at: string }>('key', 'rotate', issued.id, '--grace', '0');
    successor = rotated;
    expect(rotated).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^mv_live_/),
      replaces: issued.id,
      old_key_expires_at: expect.stringMatching(/Z$/),
    });
    expect(await fault(['key', 'rotate', issued.id])).toBe(
      `error: this key was rotated before: its successor is ${successor.id}`,
    );
  });

  it('are revoked', async () => {
    const first = await json('key', 'revoke', successor.id);
    expect(first).toEqual({ id: successor.id, revoked_at: expect.stringMatching(/Z$/) });
    expect(await json('key', 'revoke', successor.id)).toEqual(first);
    expect(await fault(['key', 'rotate', successor.id])).toMatch(/this key is revoked/);
    const listed = await json<{ id: string; status: string }[]>('key', 'list', accountId);
    expect(listed.map(({ status }) => status)).toEqual(['expired', 'active', 'revoked']);
  });

  it('are in no error message', async () => {
    const key = generateApiKey('mv', 'live');
    await fault(['key', 'revoke', key]);
    expect(written.join('')).not.toContain(key);
    expect(written.join('')).not.toMatch(/mv_(live|test)_/);
  });
});

describe('output that cannot be written', () => {
  const keyCount = async (): Promise<number> => (await json<unknown[]>('key', 'list', accountId)).length;
  /** A shell, because what stdout is opened to is what matters. */
  const shell = (line: string) =>
    promisify(execFile)('sh', ['-c', line], {
      cwd: resolve(__dirname, '../..'),
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, ACCOUNT: accountId },
    }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );

  it('gives one line and exit code 1, and creates no key that could not be shown', async () => {
    const before = await keyCount();
    expect(await shell('node dist/cli key create "$ACCOUNT" --mode live > /dev/full')).toEqual({
      code: 1,
      stderr: "error: the output can't be written: no space is left on the device\n",
    });
    expect(await keyCount()).toBe(before);
  });

  it('gives no credits whose balance could not be shown', async () => {
    const credits = async () =>
      (await json<{ credits: { total: number } }>('account', 'show', accountId)).credits.total;
    const before = await credits();
    expect(await shell('node dist/cli credits grant "$ACCOUNT" 5 > /dev/full')).toEqual({
      code: 1,
      stderr: "error: the output can't be written: no space is left on the device\n",
    });
    expect(await credits()).toBe(before);
  });

  it('gives the same if the reader has closed the pipe', async () => {
    const before = await keyCount();
    const closed = 'import os,sys; r,w=os.pipe(); os.close(r); os.dup2(w,1); os.execvp("node",["node"]+sys.argv[1:])';
    const command = `python3 -c '${closed}' dist/cli key create "$ACCOUNT" --mode live`;
    expect(await shell(command)).toEqual({
      code: 1,
      stderr: "error: the output can't be written: its reader has closed the pipe\n",
    });
    expect(await keyCount()).toBe(before);
  });
});

it('an address without a verdict says why, and how to find out what is wrong', async () => {
  const servers = { DATABASE_URL: '', DNS_SERVERS: '127.0.0.1:1', DNS_TIMEOUT_MS: '100' };
  expect(await fault(['verify', 'ann@example.com'], servers)).toBe(
    'error: there is no verdict: its MX records could not be looked up: network. What is wrong here: node dist/cli doctor',
  );
});

describe('an unusable database', () => {
  const other = (change: (url: URL) => void): NodeJS.ProcessEnv => {
    const url = new URL(database.url);
    change(url);
    return { DATABASE_URL: url.href };
  };

  it.each([
    [
      'does not answer',
      (url: URL) => void (url.port = '1'),
      /the database does not answer \(ECONNREFUSED\): check DATABASE_URL/,
    ],
    [
      'does not know the password',
      (url: URL) => void (url.password = 'wrong-secret'),
      /does not let us in \(ER_ACCESS_DENIED_ERROR\)/,
    ],
    ['is not there', (url: URL) => void (url.pathname = '/mailvet_test_nowhere'), /does not let us in \(ER_/],
  ])('%s: one line without the password', async (_, change, message) => {
    const line = await fault(['account', 'list', '--json'], other(change));
    expect(line).toMatch(message);
    expect(line).not.toContain(new URL(database.url).password);
    expect(line).not.toContain('wrong-secret');
  });

  it('applies to Redis, too', async () => {
    const url = new URL(process.env['REDIS_URL']!);
    url.password = 'wrong-secret';
    const line = await fault(['queue', 'status'], { REDIS_URL: url.href });
    expect(line).toBe('error: Redis does not let us in (WRONGPASS): check user and password in REDIS_URL');
    expect(await fault(['queue', 'status'], { REDIS_URL: 'redis://127.0.0.1:1' })).toBe(
      'error: Redis does not answer: check REDIS_URL and that the server runs',
    );
  });

  it('reports every fault of the environment in one line if it is not set', async () => {
    const line = await fault(['account', 'list'], { DATABASE_URL: '', KEY_PREFIX: 'A-B' });
    expect(line).toMatch(/DATABASE_URL: is required.*; KEY_PREFIX: must be/);
  });
});
