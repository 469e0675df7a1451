import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transformFile, type Options } from '@swc/core';

const ROOT = resolve(__dirname, '..', '..');
const BUILD_MS = 300_000;
const run = promisify(execFile);

const COMPILER: Options = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'commonjs', ignoreDynamic: true },
};

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
    // Until the bundler read TypeScript, a build compiled it before.
    const isCompiledBefore = existsSync(join(path, 'tsconfig.build.json'));
    if (isCompiledBefore) await compile(join(path, 'src'), join(path, '.local', 'build', 'product'));
    await runTool(path, 'rolldown/bin/cli.mjs', '--config');
    if (isCompiledBefore) await compile(join(path, 'migrations'), join(path, 'dist', 'migrations'));
  } catch (error) {
    remove();
    throw error;
  }
  return { kind: 'built', folder, remove };
}

/** Writes what `tsc` would, in a tenth of its time. */
async function compile(from: string, to: string): Promise<void> {
  for (const file of await readdir(from, { recursive: true })) {
    if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
    const { code } = await transformFile(join(from, file), COMPILER);
    const result = join(to, `${file.slice(0, -'.ts'.length)}.js`);
    await mkdir(dirname(result), { recursive: true });
    await writeFile(result, code);
  }
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
