import { copyMigratedDatabase } from './copied-database.js';
import { freePort } from './free-port.js';
import { startOperator } from './operator.js';
import { answersOk, startProcess, type StartedProcess } from './processes.js';
import { claimTestRedis } from './redis.js';

/** The built product on servers of its own: what an end-to-end test talks to. */
export interface Product {
  readonly databaseUrl: string;
  /** The one account. */
  readonly accountId: string;
  /** Runs an operator command with `--json` and returns what it printed. Throws when it failed. */
  cli<T>(...args: string[]): Promise<T>;
  /** A new key of the product's one account. */
  createKey(mode: 'live' | 'test'): Promise<string>;
  /** Starts an API process and waits until it is ready. */
  startApi(env?: NodeJS.ProcessEnv): Promise<RunningApi>;
  /** Starts a worker process and waits until it is ready. */
  startWorker(env?: NodeJS.ProcessEnv): Promise<RunningWorker>;
  /** Starts a console process and waits until it is ready. */
  startConsole(env?: NodeJS.ProcessEnv): Promise<RunningConsole>;
  /** The same in every process; for those that a test starts by itself. */
  readonly environment: NodeJS.ProcessEnv;
  /** Stops every process and gives the servers back. */
  close(): Promise<void>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface RunningApi {
  readonly process: StartedProcess;
  readonly url: string;
  /** Sends `body` as JSON to `POST /v1/verify/single`. */
  verify(key: string, body: unknown): Promise<Answered>;
  /** Sends `body` as JSON to a path. */
  post(path: string, key: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answered>;
}

export interface RunningConsole {
  readonly process: StartedProcess;
  readonly url: string;
}

export interface RunningWorker {
  readonly process: StartedProcess;
  readonly url: string;
}

/** URLs of an empty database and Redis that a test file has to itself. */
export interface ServersToUse {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/**
 * @param common environment of every process, beside the servers' URLs
 * @param own used as they are; else a database and a Redis are taken from the servers of the run, and given back
 */
export async function startProduct(common: NodeJS.ProcessEnv, own?: ServersToUse): Promise<Product> {
  const database = own ? { url: own.databaseUrl, drop: async () => {} } : await copyMigratedDatabase();
  const redis = own ? { url: own.redisUrl, release: async () => {} } : await claimTestRedis();
  const env = {
    ...common,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    HOST: '127.0.0.1',
    SHUTDOWN_DELAY_MS: '0',
  };
  const started: StartedProcess[] = [];
  const operator = startOperator(env);

  const cli = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await operator.run(...args, '--json');
    if (code !== 0) throw new Error(`dist/cli ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  if (own) await cli('migrate');
  const account = await cli<{ id: string }>('account', 'create', '--name', 'Test', '--plan', 'scale');

  const start = async (entry: string, portVariable: string, further: NodeJS.ProcessEnv) => {
    const port = Number(further[portVariable] ?? (await freePort()));
    const url = `http://127.0.0.1:${port}`;
    const isReady = answersOk(`${url}/health/ready`);
    const process = await startProcess([entry], { env: { ...env, [portVariable]: String(port), ...further }, isReady });
    started.push(process);
    return { process, url };
  };

  return {
    databaseUrl: database.url,
    accountId: account.id,
    environment: env,
    cli,
    createKey: async (mode) => (await cli<{ key: string }>('key', 'create', account.id, '--mode', mode)).key,
    startApi: async (further = {}) => {
      const api = await start('dist/main', 'PORT', { METRICS_PORT: '0', ...further });
      return {
        ...api,
        verify: (key, body) => post(`${api.url}/v1/verify/single`, key, body),
        post: (path, key, body, headers) => post(`${api.url}${path}`, key, body, headers),
      };
    },
    startConsole: (further = {}) => start('dist/console', 'CONSOLE_PORT', { CONSOLE_METRICS_PORT: '0', ...further }),
    startWorker: (further = {}) => start('dist/worker', 'WORKER_PORT', further),
    close: async () => {
      await Promise.all([operator.stop(), ...started.map((process) => process.stop())]);
      await redis.release();
      await database.drop();
    },
  };
}

async function post(
  url: string,
  key: string,
  body: unknown,
  further: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', ...further };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body: answer };
}
