import { open, readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../platform/cli/command-error.js';
import { shellWord } from './typed-command.js';

const AGAIN_MS = 50;
/** For a second: a lock that stays empty is one of a run that was killed. */
const MOST_TRIES = 20;

/**
 * Keeps two runs from writing one output. The lock of a run that was killed is taken over.
 * @returns releases it
 */
export async function lockOutput(out: string): Promise<() => Promise<void>> {
  const path = `${out}.lock`;
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') await takeOver(path);
      else if (code === 'ENOENT')
        throw new CommandError(`there is no folder for ${out}. Make it, or name a file in another one`);
      else throw new CommandError(`${out} can't be written here (${code}). Name a file in another folder with --out`);
    }
  }
}

async function takeOver(path: string): Promise<void> {
  const holder = await holderOf(path);
  const pid = Number(holder);
  if (pid > 0 && pid !== process.pid && isRunning(pid)) {
    throw new CommandError(
      `process ${pid} is writing the same output. Wait for it; if it is another program, type: rm ${shellWord(path)}`,
    );
  }
  // Another run may have taken it over meanwhile: only the lock that was looked at goes.
  const moved = `${path}.${process.pid}`;
  await rename(path, moved).catch(unlessGone);
  const found = await textOf(moved);
  if (found === null) return;
  if (found === holder) await rm(moved, { force: true });
  else await rename(moved, path);
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
