import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { npm } from './dependencies.mjs';
import { runJestStage } from './jest-stage.mjs';
import { root } from './paths.mjs';
import { say, step } from './say.mjs';

/** Beside the one that runs this: what is shipped, and what will be. */
const majors = [24, 26];
const wanted = join(root, 'scripts', 'runtimes');
const folder = join(root, '.local', 'runtimes');
const files = ['package.json', 'package-lock.json'];

/**
 * Runs the unit tests, those of HTTP, which lean on what Node does not promise, and the built product from its first command to its end, on
 * each of the other versions of Node. One that cannot be had is told of and counts as skipped.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ folder: string, env: Record<string, string> }} run
 */
export async function runOnOtherRuntimes(keeper, { folder: runFolder, env }) {
  const why = await installRuntimes(keeper, join(runFolder, 'logs'));
  const done = [];
  for (const major of majors) {
    const name = `node-${major}`;
    const node = programOf(major);
    if (!existsSync(node)) {
      say(`\n${name}: SKIPPED, ${why ?? 'the registry does not have it for this machine'}`);
      done.push({ name, passed: 0, failed: 0, skipped: 1, ms: 0 });
      continue;
    }
    say(`\n${name}`);
    const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
    const tests = { projects: ['unit', 'lab', 'e2e'], filter: ['/src/', '/test/http/', '/test/e2e/runtime'] };
    done.push(await runJestStage(keeper, { name, folder: runFolder, env: { ...env, PATH }, node, ...tests }));
  }
  return done;
}

/** Once for each set of versions. @returns why they cannot be had; null: they are there */
async function installRuntimes(keeper, logs) {
  const { glibcVersionRuntime } = process.report.getReport().header;
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch) || !glibcVersionRuntime)
    return `there is no such package for ${process.platform} ${process.arch}`;
  if (files.every((name) => textOf(join(folder, name)) === textOf(join(wanted, name))) && majors.every(isThere))
    return null;
  return step('Other versions of Node (npm ci)', async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of files) copyFileSync(join(wanted, name), join(folder, name));
    const log = join(logs, 'npm-ci-runtimes.log');
    const [command, ...before] = npm();
    const args = [...before, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code } = await keeper.run({ name: 'npm-ci-runtimes', command, args, cwd: folder, log });
    return code === 0 ? null : `npm could not install it: see ${log}`;
  });
}

function isThere(major) {
  return existsSync(programOf(major));
}

function programOf(major) {
  return join(folder, 'node_modules', `node-${major}-${process.arch}`, 'bin', 'node');
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
