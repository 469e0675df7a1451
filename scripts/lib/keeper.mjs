/**
 * The keeper of one run: starts its servers and processes, and ends them in the reverse order when the script says so
 * or is gone. It leads a session of its own, so that a Ctrl-C in the terminal reaches the script alone and a database
 * never stops before what uses it; and it learns of the script's end, kill -9 included, by the channel that closes.
 *
 * node keeper.mjs FOLDER, forked by `open-keeper.mjs`, which describes the tasks.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { runVariable, signal } from './processes.mjs';
import { endWhatIsLeft, releaseFolder, takeFolder, writeRecord } from './run-record.mjs';

const folder = process.argv[2];
const record = {
  keeper: process.pid,
  script: process.ppid,
  since: new Date().toISOString(),
  stopping: false,
  processes: [],
};
/** In the order they were started. @type {Map<string, { pid: number, graceMs: number, exit: Promise<void> }>} */
const running = new Map();
let ending = null;

const taking = takeFolder(folder, record);
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => void end());
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`, () => {});
  process.exitCode = 1;
  void end();
});
process.on('disconnect', () => void end());
process.on('message', (message) => void (message.ask === 'end' ? end() : answer(message)));

const holder = await taking;
tell({ holder });
if (holder) process.disconnect();

async function answer({ id, ask, ...details }) {
  try {
    tell({ id, value: await acts[ask](details) });
  } catch (error) {
    tell({ id, error: error.message });
  }
}

const acts = { start, stop };

/** Spawns one process as leader of its own group. Output goes to a file, or to the terminal. */
async function start({ name, command, args, env, cwd, argv0, log, openStdin, graceMs = 10_000, maxMs }) {
  if (ending) throw new Error('the run is ending');
  if (running.has(name)) throw new Error(`${name} is already running`);
  const output = log ? openSync(log, 'a', 0o600) : 'inherit';
  try {
    const child = spawn(command, args, {
      argv0,
      cwd,
      env: { ...process.env, ...env, [runVariable]: folder },
      detached: true,
      stdio: [openStdin ? 'pipe' : 'ignore', output, output],
    });
    const exit = new Promise((resolve) => {
      child.once('exit', (code, by) => {
        if (child.pid !== undefined) signal(-child.pid, 'SIGKILL'); // what it left in its group
        running.delete(name);
        note();
        tell({ ended: child.pid, code, signal: by });
        resolve();
      });
    });
    if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
    running.set(name, { pid: child.pid, graceMs, exit });
    note();
    if (maxMs) limitTime(name, maxMs, exit);
    return { pid: child.pid };
  } finally {
    if (log) closeSync(output);
  }
}

function limitTime(name, maxMs, exit) {
  const timer = setTimeout(() => void stop({ name }), maxMs);
  void exit.finally(() => clearTimeout(timer));
}

async function stop({ name }) {
  const entry = running.get(name);
  if (!entry) return;
  signal(-entry.pid, 'SIGTERM');
  const inTime = new AbortController();
  const late = delay(entry.graceMs, true, { signal: inTime.signal }).catch(() => false);
  if (await Promise.race([entry.exit, late])) signal(-entry.pid, 'SIGKILL');
  inTime.abort();
  await entry.exit;
}

/** Ends everything, last started first; then whatever escaped its group; then this process. */
function end() {
  ending ??= (async () => {
    if (await taking) return; // the folder is another run's
    record.stopping = true;
    note();
    for (const name of [...running.keys()].reverse()) await stop({ name });
    await endWhatIsLeft(folder, []);
    releaseFolder(folder);
    if (process.connected) process.disconnect();
  })();
  return ending;
}

function note() {
  record.processes = [...running.values()].map(({ pid }) => pid);
  writeRecord(folder, record);
}

/** The script may be gone already: then nobody needs to know. */
function tell(message) {
  if (process.connected) process.send(message, () => {});
}
