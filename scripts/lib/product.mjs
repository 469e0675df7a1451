import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';
import { root } from './paths.mjs';
import { Trouble } from './trouble.mjs';
import { waitUntil } from './wait-until.mjs';

const readyMs = 180_000;

/**
 * Runs `node dist/cli … --json` and parses what it prints.
 * @param {string[]} args
 * @param {Record<string, string>} environment
 */
export function cli(args, environment) {
  return new Promise((resolve, reject) => {
    const command = [join(root, 'dist', 'cli.js'), ...args, '--json'];
    const options = { cwd: root, env: { ...process.env, ...environment }, timeout: 180_000 };
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      if (error) reject(new Trouble(`node dist/cli ${args.join(' ')} failed: ${stderr.trim() || error.message}`));
      else resolve(JSON.parse(stdout));
    });
  });
}

/**
 * What `node dist/cli doctor --short` prints, whatever it found; a fault is no reason not to start.
 * @param {Record<string, string>} environment
 * @returns {Promise<string>}
 */
export function doctorLines(environment) {
  return new Promise((resolve) => {
    const command = [join(root, 'dist', 'cli.js'), 'doctor', '--short'];
    const options = { cwd: root, env: { ...process.env, ...environment }, timeout: 180_000 };
    execFile(process.execPath, command, options, (_, stdout, stderr) => resolve((stdout || stderr).trimEnd()));
  });
}

/**
 * Starts the API and the worker and waits until both are ready.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ logs: string, environment: Record<string, string> }} options
 * @returns {Promise<{ url: string }>} the address of the API
 */
export async function startProduct(keeper, { logs, environment }) {
  const port = process.env.PORT ? Number(process.env.PORT) : await freePort(3000);
  const workerPort = process.env.WORKER_PORT ? Number(process.env.WORKER_PORT) : await freePort(3001);
  const env = { ...environment, PORT: String(port), WORKER_PORT: String(workerPort) };
  await Promise.all([
    startProcess(keeper, { name: 'worker', env, port: workerPort, logs }),
    startProcess(keeper, { name: 'main', env, port, logs }),
  ]);
  return { url: `http://127.0.0.1:${port}` };
}

/**
 * Starts the account console and waits until it is ready.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ logs: string, environment: Record<string, string>, apiUrl: string }} options
 * @returns {Promise<{ url: string }>} its address
 */
export async function startConsole(keeper, { logs, environment, apiUrl }) {
  const port = process.env.CONSOLE_PORT ? Number(process.env.CONSOLE_PORT) : await freePort(3002);
  const own = { CONSOLE_PORT: String(port), CONSOLE_METRICS_PORT: '0', PUBLIC_URL: apiUrl };
  await startProcess(keeper, {
    name: 'console',
    env: { ...own, ...environment, CONSOLE_PORT: own.CONSOLE_PORT },
    port,
    logs,
  });
  return { url: `http://127.0.0.1:${port}` };
}

async function startProcess(keeper, { name, env, port, logs }) {
  const log = join(logs, `${name}.log`);
  rmSync(log, { force: true });
  const args = [join(root, 'dist', `${name}.js`)];
  const { ended } = await keeper.start({ name, command: process.execPath, args, cwd: root, env, log, graceMs: 35_000 });
  const isReady = () => answersOk(`http://127.0.0.1:${port}/health/ready`);
  if (await waitUntil(isReady, { ms: readyMs, everyMs: 100, gone: ended })) return;
  throw new Trouble(`node dist/${name} did not become ready.`, { log });
}

async function answersOk(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
