import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '..', '..');
const BUILD_MS = 300_000;
const run = promisify(execFile);

export type PreviousBuild =
  | { readonly kind: 'impossible'; readonly why: string }
  | {
      readonly kind: 'built';
      /** Relative to the project, so that it finds the dependencies above it. */
      readonly folder: string;
      remove(): void;
    };

/**
 * Builds the last state of the product that did not know the newest migration, with today's dependencies. The history has to
 * be there: a clone cut short, or an unpacked archive, has none.
 */
export async function buildPrevious(): Promise<PreviousBuild> {
  const commit = await commitBeforeNewestMigration();
  if (commit === null) return { kind: 'impossible', why: 'the history with the newest migration in it is not here' };
  const folder = join('.local', `previous-${randomBytes(4).toString('hex')}`);
  const path = join(ROOT, folder);
  mkdirSync(path, { recursive: true });
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    const archive = join(path, 'sources.tar');
    await git('archive', '--format=tar', `--output=${archive}`, commit);
    await run('tar', ['-xf', archive, '-C', path]);
    // As its `npm run build` does, but for its types: those held when it was made.
    for (const project of ['tsconfig.build.json', 'tsconfig.migrations.json']) {
      await runTool(path, 'typescript/bin/tsc', '-p', project, '--noCheck');
    }
    if (existsSync(join(path, 'rolldown.config.mjs'))) await runTool(path, 'rolldown/bin/cli.mjs', '--config');
  } catch (error) {
    remove();
    throw error;
  }
  return { kind: 'built', folder, remove };
}

async function runTool(folder: string, tool: string, ...args: string[]): Promise<void> {
  const command = [join(ROOT, 'node_modules', tool), ...args];
  await run(process.execPath, command, { cwd: folder, timeout: BUILD_MS, maxBuffer: 10_000_000 });
}

async function commitBeforeNewestMigration(): Promise<string | null> {
  try {
    const added = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'migrations');
    return added === '' ? null : await git('rev-parse', '--verify', '--quiet', `${added}^`);
  } catch {
    return null;
  }
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: ROOT })).stdout.trim();
}
