import { open, readFile, rm } from 'node:fs/promises';
import { CommandError } from '../platform/cli/command-error.js';
import { shellWord } from './typed-command.js';

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
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (holder > 0 && holder !== process.pid && isRunning(holder)) {
    throw new CommandError(
      `process ${holder} is writing the same output. Wait for it; if it is another program, type: rm ${shellWord(path)}`,
    );
  }
  await rm(path, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
