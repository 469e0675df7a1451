import { createTestDatabase } from './database.js';
import { freePort } from './free-port.js';
import { answersOk, runProcess, startProcess, type StartedProcess } from './processes.js';
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
  /** Stops every process and gives the servers back. */
  close(): Promise<void>;
}

export interface RunningApi {
  readonly process: StartedProcess;
  readonly url: string;
  /** Sends `body` as JSON to `POST /v1/verify/single`. */
  verify(key: string, body: unknown): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }>;
}

/** @param common environment of every process, beside the servers' URLs */
export async function startProduct(common: NodeJS.ProcessEnv): Promise<Product> {
  const database = await createTestDatabase();
  const redis = await claimTestRedis();
  const env = {
    ...common,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    HOST: '127.0.0.1',
    SHUTDOWN_DELAY_MS: '0',
  };
  const started: StartedProcess[] = [];

  const cli = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await runProcess(['dist/cli', ...args, '--json'], env);
    if (code !== 0) throw new Error(`dist/cli ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  await cli('migrate');
  const account = await cli<{ id: string }>('account', 'create', '--name', 'Test', '--plan', 'scale');

  return {
    databaseUrl: database.url,
    accountId: account.id,
    cli,
    createKey: async (mode) => (await cli<{ key: string }>('key', 'create', account.id, '--mode', mode)).key,
    startApi: async (own = {}) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const isReady = answersOk(`${url}/health/ready`);
      const process = await startProcess(['dist/main'], { env: { ...env, PORT: new URL(url).port, ...own }, isReady });
      started.push(process);
      return { process, url, verify: (key, body) => post(`${url}/v1/verify/single`, key, body) };
    },
    close: async () => {
      await Promise.all(started.map((process) => process.stop()));
      await redis.release();
      await database.drop();
    },
  };
}

async function post(url: string, key: string, body: unknown) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body: answer };
}
