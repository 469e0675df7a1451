import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { callScriptFunction } from '../scripts/script-function.js';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

/** A server that one test file has to itself, and may kill. Its port and its data stay the same from start to start. */
export interface OwnServer {
  readonly url: string;
  /** Sends the signal and waits for the end. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts it again, with further arguments, and waits until it answers. */
  start(further?: readonly string[]): Promise<void>;
  /** Runs it with further arguments that make it end by itself. @returns what it wrote */
  run(further: readonly string[]): Promise<string>;
}

export interface OwnMariaDb extends OwnServer {
  /** For a user who may do everything, to server variables too. */
  readonly adminUrl: string;
}

export interface OwnServers {
  readonly mariaDb: OwnMariaDb;
  /** Keeps nothing on disk: it is empty after every start. */
  readonly redis: OwnServer;
  close(): Promise<void>;
}

export interface OwnServersOptions {
  /** Further arguments of the server, also when its data folder is made. */
  readonly mariaDbArguments?: readonly string[];
}

const PASSWORD = randomBytes(12).toString('hex');
const DATABASE = 'mailvet_test';
const READY_MS = 60_000;
const REDO_LOG = '--loose-innodb-log-file-size=8M';
/** Smaller than the one of the run. */
const SMALL = ['--innodb-buffer-pool-size=64M', REDO_LOG];

/** Starts a MariaDB and a Redis of a test file's own on free loopback ports, for tests that take servers away. */
export async function startOwnServers(options: OwnServersOptions = {}): Promise<OwnServers> {
  const folder = await newFolder();
  const [mariaDb, redis] = await Promise.all([
    ownMariaDb(join(folder, 'mariadb'), { settings: options.mariaDbArguments ?? [] }),
    ownRedis(join(folder, 'redis')),
  ]);
  await Promise.all([mariaDb.start(), redis.start()]);
  return {
    mariaDb,
    redis,
    async close() {
      await Promise.all([mariaDb.end('SIGKILL'), redis.end('SIGKILL')]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A Redis alone, for tests that take it away or have it refuse what it is asked. */
export async function startOwnRedis(): Promise<OwnServer & { close(): Promise<void> }> {
  const folder = await newFolder();
  const redis = await ownRedis(folder);
  await redis.start();
  return {
    ...redis,
    async close() {
      await redis.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** In the folder of the run, where there is one: what is left after a kill is found there. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(process.env['MAILVET_RUN_FOLDER'] ?? tmpdir(), 'servers-'));
}

export interface OwnMariaDbOptions {
  /** Further arguments of the server, also when its data folder is made. */
  readonly settings?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Its data is in the folder already. */
  readonly made?: boolean;
}

/** @param folder what it keeps */
export async function ownMariaDb(
  folder: string,
  { settings = [], environment = {}, made = false }: OwnMariaDbOptions,
): Promise<OwnMariaDb> {
  const port = await freePort();
  const [data, initFile] = [join(folder, 'data'), join(folder, 'init.sql')];
  const { install, serve } = (await callScriptFunction('mariadb.mjs', 'mariaDbCommands', { data, initFile, port })) as {
    install: [string, ...string[]];
    serve: [string, ...string[]];
  };
  // Of its own: a server that starts removes the temporary tables of every other one from a folder that they share.
  const TMPDIR = join(folder, 'tmp');
  await mkdir(TMPDIR, { recursive: true, mode: 0o700 });
  if (!made) {
    const [program, ...args] = install;
    await promisify(execFile)(program, [...args, REDO_LOG, ...settings], { env: { ...process.env, TMPDIR } });
  }
  const statements = [
    // Each server runs them for itself.
    'SET sql_log_bin = 0;',
    `CREATE DATABASE IF NOT EXISTS ${DATABASE} CHARACTER SET utf8mb4;`,
    `CREATE USER IF NOT EXISTS 'mailvet'@'127.0.0.1' IDENTIFIED BY '${PASSWORD}';`,
    `GRANT ALL PRIVILEGES ON \`${DATABASE}\`.* TO 'mailvet'@'127.0.0.1';`,
    `CREATE USER IF NOT EXISTS 'admin'@'127.0.0.1' IDENTIFIED BY '${PASSWORD}';`,
    `GRANT ALL PRIVILEGES ON *.* TO 'admin'@'127.0.0.1';`,
    '',
  ];
  if (!made) await writeFile(initFile, statements.join('\n'), { mode: 0o600 });
  const urlFor = (user: string): string => `mysql://${user}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}`;
  const url = urlFor('mailvet');
  const [command, ...args] = serve;
  const server = ownServer({
    url,
    command,
    args: [...args, ...SMALL, ...settings],
    folder: data,
    environment: { ...environment, TMPDIR },
    answers: async () => {
      const connection = await createConnection({ uri: url, connectTimeout: 2000 });
      await connection.end();
    },
  });
  return { ...server, adminUrl: urlFor('admin') };
}

async function ownRedis(folder: string): Promise<OwnServer> {
  const command = (await callScriptFunction('redis.mjs', 'findRedis')) as string;
  const port = await freePort();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const url = `redis://default:${PASSWORD}@127.0.0.1:${port}/1`;
  const config = join(folder, 'redis.conf');
  const lines = ['bind 127.0.0.1', `port ${port}`, `requirepass ${PASSWORD}`, 'maxmemory-policy noeviction', 'save ""'];
  await writeFile(config, [...lines, ''].join('\n'), { mode: 0o600 });
  return ownServer({
    url,
    command,
    argv0: 'redis-server', // Debian's one program goes by the name it is called with
    args: [config],
    folder,
    answers: async () => {
      const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2000 });
      redis.on('error', () => {});
      try {
        await redis.connect();
        await redis.ping();
      } finally {
        redis.disconnect();
      }
    },
  });
}

interface ServerTask {
  readonly url: string;
  readonly command: string;
  readonly argv0?: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Throws while it does not. */
  readonly answers: () => Promise<void>;
}

function ownServer({ url, command, argv0, args, folder, environment = {}, answers }: ServerTask): OwnServer {
  const env = { ...process.env, ...environment };
  let running: { child: ChildProcess; exit: Promise<unknown> } | null = null;
  let said = '';
  return {
    url,
    async start(further = []) {
      const child = spawn(command, [...args, ...further], {
        argv0,
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-20_000)));
      }
      running = { child, exit: once(child, 'exit') };
      const isReady = (): Promise<boolean> =>
        answers().then(
          () => true,
          () => false,
        );
      if (await waitUntil(isReady, { ms: READY_MS, gone: running.exit })) return;
      child.kill('SIGKILL');
      throw new Error(`${command} did not start:\n${said}`);
    },
    async run(further) {
      const { stdout, stderr } = await promisify(execFile)(command, [...args, ...further], { cwd: folder, env });
      return stdout + stderr;
    },
    async end(signal) {
      if (running === null) return;
      const { child, exit } = running;
      running = null;
      child.kill(signal);
      await exit;
    },
  };
}
