import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { folderBeside, installBeside } from './install-beside.mjs';
import { runJest, stageOf } from './jest-run.mjs';
import { say } from './say.mjs';

/** What reaches down to Node: HTTP, which leans on what Node does not promise, and the built product from its first command to its end. */
const product = { kinds: ['lab', 'e2e'], filter: ['/test/http/', '/test/e2e/runtime'] };
/** Not the page of the console, which no Node runs. */
const everything = { kinds: ['unit', ...product.kinds], filter: ['^(src|clients)/', ...product.filter] };
/** Beside the one that runs this: what is shipped, and what will be. Whatever holds on the oldest and the newest holds between. */
const runtimes = [
  { major: 24, tests: product },
  { major: 26, tests: everything },
];
const folder = 'runtimes';

/**
 * Runs tests on each of the other versions of Node, one file at a time: beside the run of all tests. What they print is shown only
 * where one fails. A version that cannot be had is told of and counts as skipped.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ folder: string, env: Record<string, string> }} run
 * @returns {Promise<import('./summary.mjs').Stage[]>}
 */
export async function runOnOtherRuntimes(keeper, { folder: runFolder, env }) {
  const logs = join(runFolder, 'logs');
  const why = await installRuntimes(keeper, logs);
  const done = [];
  for (const { major, tests } of runtimes) {
    const name = `node-${major}`;
    const node = programOf(major);
    if (!existsSync(node)) {
      say(`\n${name}: SKIPPED, ${why ?? 'the registry does not have it for this machine'}`);
      done.push({ name, passed: 0, failed: 0, skipped: 1, ms: 0 });
      continue;
    }
    const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
    const log = join(logs, `${name}.log`);
    rmSync(log, { force: true });
    const options = { name, ...tests, folder: runFolder, env: { ...env, PATH }, node, log, workers: 1 };
    const stage = stageOf(name, await runJest(keeper, options));
    if (stage.failed > 0) say(`\n${name}\n${readFileSync(log, 'utf8')}`);
    done.push(stage);
  }
  return done;
}

/** @returns {Promise<string | null>} why they cannot be had; null: they are there */
export async function installRuntimes(keeper, logs) {
  const { glibcVersionRuntime } = process.report.getReport().header;
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch) || !glibcVersionRuntime)
    return `there is no such package for ${process.platform} ${process.arch}`;
  const needed = runtimes.map(({ major }) => fileOf(major));
  return installBeside(keeper, { name: folder, what: 'Other versions of Node', logs, needed });
}

/** The program of another version of Node. */
export const programOf = (major) => join(folderBeside(folder), fileOf(major));

function fileOf(major) {
  return join('node_modules', `node-${major}-${process.arch}`, 'bin', 'node');
}
