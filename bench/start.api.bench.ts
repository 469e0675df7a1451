/**
 * Time and processor time from the start of a process to its first `200` of `/health/ready`, and its memory a while after,
 * compared with a bare Nest application of the same size.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { apiUnderTest } from './lib/api-under-test.js';
import { cpuSeconds } from './lib/cores.js';
import { report, type Figure } from './lib/figure.js';
import { freePort } from './lib/free-port.js';
import { residentMb } from './lib/memory.js';
import { inTurns } from './lib/rounds.js';

const READY_MS = 30_000;
const ASK_EVERY_MS = 10;
/** As long as a process is left alone before its memory is read. */
const IDLE_MS = 3_000;
const TARGET = { atMost: 2 };

/** What one start has cost. */
interface Start {
  readonly ms: number;
  /** Processor time of all its threads, user and system. */
  readonly cpuMs: number;
  readonly idleMb: number;
}

async function main(): Promise<void> {
  const bare = join(__dirname, 'processes', 'bare-nest.js');
  const starts = await inTurns({
    bare: () => start(bare, 'PORT'),
    api: () => start(join('dist', 'main.js'), 'PORT'),
    worker: () => start(join('dist', 'worker.js'), 'WORKER_PORT'),
  });
  const figures = (what: string, of: readonly Start[]): Figure[] =>
    rows.map(({ field, name, unit, target }) => ({
      what: name.replace('%', what),
      unit,
      rounds: of.map((one) => one[field]),
      baseline: { what: 'a bare Nest application of its size', rounds: starts.bare.map((one) => one[field]) },
      ...(target && { target }),
    }));
  report([...figures('API', starts.api), ...figures('worker', starts.worker)]);
}

const rows: readonly (Pick<Figure, 'unit' | 'target'> & { field: keyof Start; name: string })[] = [
  { field: 'ms', name: 'start of the % to ready', unit: 'ms', target: TARGET },
  { field: 'cpuMs', name: 'processor time of the %, start to ready', unit: 'ms' },
  { field: 'idleMb', name: 'memory of an idle %', unit: 'MB' },
];

async function start(entry: string, portVariable: string): Promise<Start> {
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
    const ms = performance.now() - began;
    const cpuMs = cpuSeconds(child.pid) * 1000;
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    return { ms, cpuMs, idleMb: residentMb(child.pid) };
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
