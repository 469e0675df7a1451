/**
 * Time from the start of a process to its first `200` of `/health/ready`, compared with a bare Nest application of the
 * same size.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { apiUnderTest } from './lib/api-under-test.js';
import { report, type Figure } from './lib/figure.js';
import { freePort } from './lib/free-port.js';
import { inTurns } from './lib/rounds.js';

const READY_MS = 30_000;
const ASK_EVERY_MS = 10;
const TARGET = { atMost: 2 };

async function main(): Promise<void> {
  const bare = join(__dirname, 'processes', 'bare-nest.js');
  const times = await inTurns({
    bare: () => timeToReady(bare, 'PORT'),
    api: () => timeToReady(join('dist', 'main.js'), 'PORT'),
    worker: () => timeToReady(join('dist', 'worker.js'), 'WORKER_PORT'),
  });
  const figure = (what: string, rounds: readonly number[]): Figure => ({
    what: `start of the ${what} to ready`,
    unit: 'ms',
    rounds,
    baseline: { what: 'a bare Nest application of its size', rounds: times.bare },
    target: TARGET,
  });
  report([figure('API', times.api), figure('worker', times.worker)]);
}

async function timeToReady(entry: string, portVariable: string): Promise<number> {
  const { environment } = apiUnderTest();
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, ...environment, [portVariable]: String(port) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`${entry} has ended before it was ready`);
      if (performance.now() - began > READY_MS) throw new Error(`${entry} is not ready in time`);
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
    return performance.now() - began;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = get({ host: '127.0.0.1', port, path: '/health/ready', timeout: 1000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(false));
  });
}

void main();
