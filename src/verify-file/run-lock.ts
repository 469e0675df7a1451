import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../platform/cli/command-error.js';
import { shellWord } from './typed-command.js';

const AGAIN_MS = 50;
/** For a second: a lock that stays empty is one of a run that was killed. */
const MOST_TRIES = 20;
/** How often a run touches its lock, for runs that cannot see its process. */
const SIGN_MS = 1000;
const SILENCE_MS = 10_000;

/**
 * Keeps two runs from writing one output, those of containers and machines that share its folder too. The lock of a run
 * that was killed is taken over.
 * @param silenceMs a run in another container or machine that gives no sign for so long has ended
 * @returns releases it
 */
export async function lockOutput(out: string, silenceMs = SILENCE_MS): Promise<() => Promise<void>> {
  const path = `${out}.lock`;
  for (;;) {
    try {
      return await hold(path, await open(path, 'wx', 0o600));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') await takeOver(path, silenceMs);
      else if (code === 'ENOENT')
        throw new CommandError(`there is no folder for ${out}. Make it, or name a file in another one`);
      else throw new CommandError(`${out} can't be written here (${code}). Name a file in another folder with --out`);
    }
  }
}

async function hold(path: string, file: FileHandle): Promise<() => Promise<void>> {
  const text = [process.pid, processSpace(), randomUUID()].join('\n');
  try {
    await file.writeFile(text);
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  // Touches the open file: never the lock of a run that took this one over.
  const touch = (): void => void file.utimes(new Date(), new Date()).catch(() => undefined);
  const signs = setInterval(touch, SIGN_MS).unref();
  return async () => {
    clearInterval(signs);
    await file.close();
    if ((await textOf(path)) === text) await rm(path, { force: true });
  };
}

async function takeOver(path: string, silenceMs: number): Promise<void> {
  const holder = await holderOf(path);
  if (holder !== null) await refuseIfHeld(path, holder, silenceMs);
  // Another run may have taken it over meanwhile: only the lock that was looked at goes.
  const moved = `${path}.${randomUUID()}`;
  await rename(path, moved).catch(unlessGone);
  const found = await textOf(moved);
  if (found === null) return;
  if (found === holder) await rm(moved, { force: true });
  else await rename(moved, path);
}

/** @throws CommandError if the run is there that holds the lock */
async function refuseIfHeld(path: string, holder: string, silenceMs: number): Promise<void> {
  const [first = '', space] = holder.split('\n');
  const pid = Number(first);
  const isVisible = space === processSpace();
  const isThere = isVisible ? pid !== process.pid && isRunning(pid) : pid > 0 && (await givesSign(path, silenceMs));
  if (!isThere) return;
  const where = isVisible ? '' : ' of another container or machine';
  throw new CommandError(
    `process ${pid}${where} is writing the same output. Wait for it; if it is another program, type: rm ${shellWord(path)}`,
  );
}

/** Whether somebody touches the lock. The clocks of machines differ: what counts is that its time changes. */
async function givesSign(path: string, silenceMs: number): Promise<boolean> {
  const before = await touchedAt(path);
  for (let waited = 0; waited < silenceMs; waited += AGAIN_MS) {
    await delay(AGAIN_MS);
    const now = await touchedAt(path);
    if (now !== before) return now !== null;
  }
  return false;
}

/** By opening it: a network file system then asks its server. Null: it is gone. */
async function touchedAt(path: string): Promise<number | null> {
  const file = await open(path).catch(unlessGone);
  if (file === null) return null;
  try {
    return (await file.stat()).mtimeMs;
  } finally {
    await file.close();
  }
}

/** Names the kernel and the container in which a process id means something. */
function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** What a lock holds. A run that has just begun makes it, and then writes its process into it. */
async function holderOf(path: string): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const text = await textOf(path);
    if (text !== '' || tries === MOST_TRIES) return text;
    await delay(AGAIN_MS);
  }
}

function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(unlessGone);
}

/** @throws CommandError such as for the lock of another user */
function unlessGone({ code, path = '' }: NodeJS.ErrnoException): null {
  if (code === 'ENOENT') return null;
  throw new CommandError(
    `${path} can't be taken over (${code}). If no run is writing the same output, type: rm ${shellWord(path)}`,
  );
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
