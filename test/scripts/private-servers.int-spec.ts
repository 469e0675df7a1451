import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { waitUntil } from '../support/wait-until.js';

const root = resolve(__dirname, '..', '..');

interface Running {
  readonly script: ChildProcess;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly output: () => string;
}

/** What the run wrote down about itself: the script, its keeper, and what that started. */
interface RunRecord {
  readonly script: number;
  readonly keeper: number;
  readonly processes: readonly number[];
}

describe('private servers', () => {
  const name = `spec-${randomBytes(4).toString('hex')}`;
  const folder = join(root, '.local', name);
  const scripts: ChildProcess[] = [];

  afterEach(async () => {
    for (const script of scripts.splice(0)) await end(script, 'SIGTERM');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('start on their own loopback ports with the settings that the product needs', async () => {
    const { databaseUrl, redisUrl } = await start();
    const [variables] = await query(databaseUrl, 'SELECT @@time_zone AS zone, @@character_set_server AS charset');
    expect(variables).toEqual({ zone: '+00:00', charset: 'utf8mb4' });
    expect(await config(redisUrl, 'maxmemory-policy')).toBe('noeviction');
    for (const url of [new URL(databaseUrl), new URL(redisUrl)]) {
      expect(url.hostname).toBe('127.0.0.1');
      expect(['', '3306', '6379']).not.toContain(url.port);
    }
  });

  it('admit their user to databases of the product only, and nobody without the password', async () => {
    const { databaseUrl, redisUrl } = await start();
    await query(databaseUrl, 'CREATE DATABASE mailvet_test_own');
    await query(databaseUrl, 'DROP DATABASE mailvet_test_own');
    await expect(query(databaseUrl, 'CREATE DATABASE other')).rejects.toThrow(/denied/i);
    const [asRoot, asNobody] = [new URL(databaseUrl), new URL(redisUrl)];
    asRoot.username = 'root';
    asRoot.password = '';
    await expect(query(asRoot.href, 'SELECT 1')).rejects.toThrow(/denied|not allowed/i);
    asNobody.username = '';
    asNobody.password = '';
    await expect(config(asNobody.href, 'port')).rejects.toThrow(/NOAUTH/);
  });

  it('keep data and password between starts', async () => {
    const first = await start();
    await query(first.databaseUrl, 'CREATE TABLE kept (n INT)');
    await query(first.databaseUrl, 'INSERT INTO kept VALUES (42)');
    expect(await end(first.script, 'SIGTERM')).toBe(0);
    const second = await start();
    expect(await query(second.databaseUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    expect(new URL(second.databaseUrl).password).toBe(new URL(first.databaseUrl).password);
    await query(second.databaseUrl, 'DROP TABLE kept');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('stop with their script on %s to its group', async (signal) => {
    const { script } = await start();
    const { processes, keeper } = record();
    expect(processes).toHaveLength(2);
    const exit = once(script, 'exit');
    process.kill(-script.pid!, signal); // as a terminal does
    expect((await exit)[0]).toBe(0);
    expect([...processes, keeper].filter(isAlive)).toEqual([]);
    expect(existsSync(join(folder, 'run.json'))).toBe(false);
  });

  it('stop with their script when it is killed', async () => {
    const { script } = await start();
    const { processes, keeper } = record();
    await end(script, 'SIGKILL');
    expect(await waitUntil(async () => ![...processes, keeper].some(isAlive), { ms: 60_000 })).toBe(true);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('stop when the npm that runs their script gets a %s', async (signal) => {
    const { script } = await start({}, 'npm');
    const { processes, keeper, script: inside } = record();
    expect(inside).not.toBe(script.pid);
    await end(script, signal);
    expect(await waitUntil(async () => ![...processes, keeper, inside].some(isAlive), { ms: 60_000 })).toBe(true);
  });

  it('of a run that was killed with its keeper are stopped by the next run, and other processes are not', async () => {
    const { databaseUrl, script } = await start();
    await query(databaseUrl, 'CREATE TABLE crashed (n INT)');
    const { processes, keeper } = record();
    process.kill(keeper, 'SIGSTOP'); // so that it cannot clean up when its script dies
    await end(script, 'SIGKILL');
    process.kill(keeper, 'SIGKILL');
    expect(processes.every(isAlive)).toBe(true);
    const stranger = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    rewriteRecord((left) => ({ ...left, processes: [...left.processes, stranger.pid!] })); // its id was used again
    const second = await start();
    expect(processes.filter(isAlive)).toEqual([]);
    expect(isAlive(stranger.pid!)).toBe(true);
    stranger.kill();
    await query(second.databaseUrl, 'DROP TABLE crashed');
  });

  it('are refused to a second script of the same name, with advice', async () => {
    const { script } = await start();
    const second = spawnScript();
    const [code] = await once(second.script, 'exit');
    expect(code).toBe(1);
    expect(second.output()).toContain(`"${name}" is already running (process ${script.pid}`);
    expect(second.output()).toContain(`kill ${script.pid}`);
    expect(record().script).toBe(script.pid);
  });

  it('are not started if the environment names servers', async () => {
    const given = { DATABASE_URL: 'mysql://u:p@127.0.0.1:1/test', REDIS_URL: 'redis://127.0.0.1:1/0' };
    const { databaseUrl, redisUrl } = await start(given);
    expect({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }).toEqual(given);
    expect(record().processes).toEqual([]);
  });

  it('are started only for the one that the environment does not name', async () => {
    const { databaseUrl, redisUrl } = await start({ DATABASE_URL: 'mysql://u:p@127.0.0.1:1/test' });
    expect(databaseUrl).toBe('mysql://u:p@127.0.0.1:1/test');
    expect(await config(redisUrl, 'maxmemory-policy')).toBe('noeviction');
    expect(record().processes).toHaveLength(1);
  });

  it('do not touch a server on a standard port', async () => {
    let touched = 0;
    const standard = await Promise.all([3306, 6379].map((port) => listen(port, () => touched++)));
    const { databaseUrl, redisUrl, script } = await start();
    await query(databaseUrl, 'SELECT 1');
    await config(redisUrl, 'port');
    await end(script, 'SIGTERM');
    expect(touched).toBe(0);
    for (const server of standard) {
      if (!server) continue;
      expect(server.listening).toBe(true);
      server.close();
    }
  });

  function spawnScript(
    env: NodeJS.ProcessEnv = {},
    by: 'node' | 'npm' = 'node',
  ): { script: ChildProcess; output: () => string } {
    const { DATABASE_URL: _, REDIS_URL: __, ...outer } = process.env;
    const [command, ...args] =
      by === 'npm' ? ['npm', 'run', 'dev:servers', '--'] : [process.execPath, 'scripts/dev-servers.mjs'];
    const script = spawn(command, [...args, name], {
      cwd: root,
      detached: true, // a process group of its own, as a terminal gives it
      env: { ...outer, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [script.stdout, script.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    }
    scripts.push(script);
    return { script, output: () => text };
  }

  async function start(env?: NodeJS.ProcessEnv, by?: 'node' | 'npm'): Promise<Running> {
    const { script, output } = spawnScript(env, by);
    const gone = once(script, 'exit');
    const urls = await waitUntil(async () => /export DATABASE_URL=(\S+)\nexport REDIS_URL=(\S+)\n/.exec(output()), {
      ms: 60_000,
      gone,
    });
    if (!urls?.[1] || !urls[2]) throw new Error(`the servers did not start:\n${output()}`);
    return { script, databaseUrl: urls[1], redisUrl: urls[2], output };
  }

  function record(): RunRecord {
    return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord;
  }

  function rewriteRecord(change: (record: RunRecord) => RunRecord): void {
    writeFileSync(join(folder, 'run.json'), JSON.stringify(change(record())));
  }
});

async function end(script: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (script.exitCode !== null || script.signalCode !== null) return script.exitCode;
  const exit = once(script, 'exit');
  script.kill(signal);
  return (await exit)[0] as number | null;
}

/** A zombie (in a container nobody may collect it) is not alive: it holds nothing. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const connection = await createConnection({ uri: url, connectTimeout: 5000 });
  try {
    const [rows] = await connection.query(statement);
    return rows as unknown[];
  } finally {
    await connection.end();
  }
}

async function config(url: string, name: string): Promise<string | undefined> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, enableReadyCheck: false });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return ((await redis.config('GET', name)) as string[])[1];
  } finally {
    redis.disconnect();
  }
}

/** Null where a real server has the port already. */
async function listen(port: number, onConnection: () => void): Promise<Server | null> {
  const server = createServer(onConnection);
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}
