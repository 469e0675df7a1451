import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runProcess } from '../support/processes.js';
import { waitUntil } from '../support/wait-until.js';

jest.setTimeout(600_000);

const root = resolve(__dirname, '..', '..');

describe('a script', () => {
  it.each([
    ['start', '--bogus', 'Unknown option --bogus. Usage: npm start'],
    ['start', 'word', 'Unknown option word. Usage: npm start'],
    [
      'bench',
      '--comapre',
      'Unknown option --comapre. Did you mean --compare? Usage: npm run bench -- [--compare FILE] [part of a bench’s name …]',
    ],
  ])('of the name %s starts nothing for %s, and says what to type', async (name, typed, message) => {
    const { code, stdout, stderr } = await runProcess([`scripts/${name}.mjs`, typed], {});
    expect([code, stdout, stderr.trim()]).toEqual([1, '', message]);
  });
});

describe('npm run demo', () => {
  const name = `spec-${randomBytes(4).toString('hex')}`;
  const folder = join(root, '.local', name);
  const scripts: ChildProcess[] = [];

  afterEach(() => {
    for (const script of scripts.splice(0)) script.kill('SIGKILL');
  });
  afterAll(async () => {
    await waitUntil(async () => processesOf(folder).length === 0, { ms: 60_000 });
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['--onec', 'Unknown option --onec. Did you mean --once? Usage: npm run demo -- [--once] [--name NAME]'],
    ['--now', 'Unknown option --now. Usage: npm run demo -- [--once] [--name NAME]'],
  ])('suggests what to type instead of %s', async (typed, message) => {
    const { code, text } = await run(typed);
    expect([code, text.trim()]).toEqual([1, message]);
  });

  it('stays up for the printed curl line, and stops everything on Ctrl-C without an error in any log', async () => {
    const { script, text } = start();
    const exit = once(script, 'exit');
    expect(await waitUntil(async () => text().includes('Ctrl-C stops everything'), { ms: 120_000, gone: exit })).toBe(
      true,
    );
    const [, url = '', key = '', body = ''] = /curl -s (\S+) .*?X-API-Key: (\S+?)'.*?-d '(.*?)'/s.exec(text()) ?? [];
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([200, { result: 'valid' }]);
    const [, exported = ''] = /^export (DATABASE_URL=.*)$/m.exec(text()) ?? [];
    const operator = Object.fromEntries(
      [...exported.matchAll(/(\w+)='(\S+)'/g)].map(([, variable, value]) => [variable, value]),
    );
    const [, command = ''] = /^node (dist\/cli account show \S+)$/m.exec(text()) ?? [];
    const shown = await runProcess([...command.split(' '), '--json'], operator);
    expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([0, { plan: 'growth' }]);
    expect(await faultOfWebhook(operator, command.split(' ').at(-1)!)).not.toBe('unreadable');
    const [, quickStartUrl, testKey = ''] = /^export MAILVET_URL='(\S+)' MAILVET_KEY='(\S+)'$/m.exec(text()) ?? [];
    expect([`${quickStartUrl}/v1/verify/single`, /^test key {3}(\S+)/m.exec(text())?.[1]]).toEqual([url, testKey]);
    const sandbox = await fetch(url, { method: 'POST', headers: { ...headers, 'X-API-Key': testKey }, body });
    expect([sandbox.status, sandbox.headers.get('x-sandbox')]).toEqual([200, 'true']);
    const greylisted = JSON.stringify({ email: 'alice@greylisting.example' });
    const asked = (): Promise<Response> => fetch(url, { method: 'POST', headers, body: greylisted });
    const isAskedAgain = async (): Promise<boolean> =>
      ((await (await asked()).json()) as { result: string }).result === 'valid';
    expect(await waitUntil(isAskedAgain, { ms: 120_000, everyMs: 500, gone: exit })).toBe(true);
    const [, consoleUrl = '', email, password] =
      /^address {4}(\S+)\nemail {6}(\S+)\npassword {3}(\S+)$/m.exec(text()) ?? [];
    const signIn = await fetch(`${consoleUrl}/console/api/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: consoleUrl },
      body: JSON.stringify({ email, password }),
    });
    expect([signIn.status, await signIn.json()]).toEqual([200, { status: 'signed_in' }]);
    const page = await fetch(consoleUrl);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    await page.arrayBuffer();
    process.kill(-script.pid!, 'SIGINT'); // as a terminal does
    expect((await exit)[0]).toBe(0);
    expect(processesOf(folder)).toEqual([]);
    expect(errorsIn('main.log')).toEqual([]);
    expect(errorsIn('worker.log')).toEqual([]);
    expect(errorsIn('console.log')).toEqual([]);
  });

  it('with --once starts where the other run has ended, prints a table of correct verdicts and leaves nothing running', async () => {
    const { code, text } = await run('--once');
    expect(text).toMatch(/^ {2}address +mode +result +reason +deliverable +score/m);
    expect(text).toMatch(/alice@greylisting\.example +enhanced +valid/);
    const [, right, all] = /(\d+) of (\d+) verdicts are as expected/.exec(text) ?? [];
    expect(Number(all)).toBeGreaterThanOrEqual(12);
    expect(right).toBe(all);
    expect(code).toBe(0);
    expect(processesOf(folder)).toEqual([]);
  });

  it('leaves nothing running when it is killed', async () => {
    const { script, text } = start();
    const exit = once(script, 'exit');
    await waitUntil(async () => text().includes('Ctrl-C stops everything'), { ms: 120_000, gone: exit });
    expect(processesOf(folder).length).toBeGreaterThanOrEqual(4);
    script.kill('SIGKILL');
    await exit;
    expect(await waitUntil(async () => processesOf(folder).length === 0, { ms: 60_000 })).toBe(true);
  });

  function start(...args: string[]): { script: ChildProcess; text: () => string } {
    const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env;
    const script = spawn(process.execPath, [join(root, 'scripts', 'demo.mjs'), '--name', name, ...args], {
      detached: true,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    scripts.push(script);
    let text = '';
    for (const stream of [script.stdout, script.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    }
    return { script, text: () => text };
  }

  async function run(...args: string[]): Promise<{ code: number | null; text: string }> {
    const { script, text } = start(...args);
    const [code] = (await once(script, 'close')) as [number | null];
    return { code, text: text() };
  }

  function errorsIn(log: string): string[] {
    const lines = readFileSync(join(folder, 'logs', log), 'utf8').split('\n');
    return lines.filter((line) => /"level":"(error|fatal)"/.test(line));
  }
});

/** Why the first attempt of a webhook that the operator makes came to nothing: nobody has that URL. */
async function faultOfWebhook(environment: Record<string, string>, account: string): Promise<string | null> {
  const webhook = async <Answer>(...args: string[]): Promise<Answer> => {
    const { stdout } = await runProcess(['dist/cli', 'webhook', ...args, '--json'], environment);
    return JSON.parse(stdout) as Answer;
  };
  const url = 'https://nobody.example/';
  const { id } = await webhook<{ id: string }>('create', account, '--url', url, '--events', 'job.completed');
  await webhook('test', id);
  const faultNow = async (): Promise<string | null> =>
    (await webhook<{ fault: string | null }[]>('deliveries', id))[0]!.fault;
  return waitUntil(faultNow, { ms: 60_000 });
}

/** The processes that a run has started: by the mark they carry, or (Redis writes over its own) by where they work. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const marked = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`MAILVET_RUN_FOLDER=${folder}\0`);
      return marked || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false; // not a process, or gone
    }
  });
}
