import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'mysql2/promise';
import { apiUnderTest } from './api-under-test.js';
import { ended, ready, spawnNode } from './built-process.js';
import { freePort } from './free-port.js';

/** A bench's own API and worker, on their own database. */
export interface OwnService {
  readonly url: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly api: number;
  readonly worker: number;
  stop(): Promise<void>;
}

/** A Redis database of its own: data of earlier runs refers to deleted rows. */
const REDIS_DATABASE = '15';

/** A worker that serves only jobs, so that other work is not measured. */
export const JOBS_ALONE = { WORKER_QUEUES: 'job-batch' };

/**
 * Starts the built service beside the measured one, with the bench's own environment and internet.
 * @param more environment of both processes
 */
export async function startOwnService(more: Readonly<Record<string, string>>): Promise<OwnService> {
  const { databaseUrl: theirs, environment } = apiUnderTest();
  const databaseUrl = await freshDatabase(theirs);
  const redisUrl = new URL(environment['REDIS_URL'] ?? '');
  redisUrl.pathname = `/${REDIS_DATABASE}`;
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    ...environment,
    ...more,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl.href,
    PORT: String(apiPort),
    WORKER_PORT: String(workerPort),
  };
  const [code] = (await once(spawnNode(['dist/cli.js', 'migrate'], env), 'exit')) as [number];
  if (code !== 0) throw new Error('the database of the bench could not be migrated');
  const started: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(ended));
  };
  const start = async (entry: string, port: number): Promise<number> => {
    const child = spawnNode([...profiled(entry), `dist/${entry}.js`], env);
    started.push(child);
    await ready(child, port);
    return child.pid!;
  };
  try {
    const [api, worker] = await Promise.all([start('main', apiPort), start('worker', workerPort)]);
    return { url: `http://127.0.0.1:${apiPort}`, databaseUrl, redisUrl: redisUrl.href, api, worker, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `BENCH_CPU_PROFILES`: a folder for CPU profiles of both processes. */
function profiled(entry: string): string[] {
  const folder = process.env['BENCH_CPU_PROFILES'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}/${entry}`];
}

async function freshDatabase(beside: string): Promise<string> {
  const url = new URL(beside);
  const name = `${decodeURIComponent(url.pathname.slice(1))}_own`;
  const connection = await createConnection(beside);
  await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
  await connection.query(`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`);
  await connection.end();
  url.pathname = `/${name}`;
  return url.href;
}
