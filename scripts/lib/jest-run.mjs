import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import jestConfig from '../../jest.config.js';
import { root } from './paths.mjs';
import { say } from './say.mjs';

/** A run that takes longer has hung: it is stopped and counted as failed. */
const maxMs = 40 * 60_000;

/** Files at a time: two for each processor, as most tests wait for servers, retries and intervals rather than compute. */
const usualWorkers = 2 * availableParallelism();

/** MB for young objects, of which a file makes many as it loads: with Node's 16 the unit tests took a tenth more processor time. */
const youngMb = 64;

/** More failures than this are not the doing of a busy machine. */
const mostAgain = 5;

/**
 * `failures`: the tests that failed, each with the first line of its message.
 * `flaky`: how many of them failed beside others and passed alone; they count as passed.
 * @typedef {{ test: string, message: string }} Failure
 * @typedef {{ path: string, passed: number, failed: number, skipped: number, ms: number, failures?: Failure[], flaky?: number }} FileRun
 */

/**
 * Runs tests of some kinds (projects of jest.config.js), all of them in one go.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {object} run
 * @param {string} run.name
 * @param {string[]} run.kinds
 * @param {string} run.folder
 * @param {string[]} run.filter parts of files' names
 * @param {Record<string, string>} run.env
 * @param {number} [run.workers] files at a time
 * @param {string} [run.node] another one than that which runs this
 * @param {string} [run.log] gets the output, which is on the terminal otherwise
 * @returns {Promise<FileRun[]>}
 */
export async function runJest(
  keeper,
  { name, kinds, folder, filter, env, workers = usualWorkers, node = process.execPath, log },
) {
  const report = join(folder, 'results', `${name}.json`);
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const { code } = await keeper.run({
    name: `jest-${name}`,
    command: node,
    args: [
      `--max-semi-space-size=${youngMb}`,
      join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
      '--selectProjects',
      ...kinds,
      `--maxWorkers=${workers}`,
      '--passWithNoTests',
      '--json',
      '--outputFile',
      report,
      ...filter,
    ],
    cwd: root,
    env,
    log,
    maxMs,
  });
  return readFiles(existsSync(report) ? readFileSync(report, 'utf8') : null, code);
}

/**
 * Runs files that failed once more, one at a time, when nothing else runs: a test that passes alone lacked its share of the
 * machine. It counts as passed, and stays in `failures` for all to see. A run that was lost, or failed in many files, stays as it is.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {Parameters<typeof runJest>[1]} run the one that the files come from
 * @param {FileRun[]} files
 * @returns {Promise<FileRun[]>}
 */
export async function runFailedAgain(keeper, run, files) {
  const again = filesToRunAgain(files);
  if (again.length === 0) return files;
  say(`\nOnce more, alone: ${again.join(', ')}`);
  const alone = await runJest(keeper, { ...run, name: `${run.name}-again`, filter: again, workers: 1 });
  return afterSecondRun(files, alone);
}

/** The paths of the files that get a second run. @param {FileRun[]} files @public for the tests */
export function filesToRunAgain(files) {
  const failed = files.filter(({ failed: count }) => count > 0).map(({ path }) => path);
  return failed.includes('') || failed.length > mostAgain ? [] : failed;
}

/**
 * What a file counts for after its second run. Only one that passed whole, with as many tests as before, is relieved.
 * @param {FileRun[]} files
 * @param {FileRun[]} alone
 * @returns {FileRun[]}
 * @public for the tests
 */
export function afterSecondRun(files, alone) {
  return files.map((file) => {
    const second = alone.find(({ path }) => path === file.path);
    if (file.failed === 0 || second === undefined || second.failed > 0) return file;
    if (second.passed + second.skipped < file.passed + file.failed + file.skipped) return file;
    return { ...second, ms: file.ms + second.ms, failures: file.failures, flaky: file.failed };
  });
}

/**
 * What each file of a run of jest counts for. A file that could not be run at all, and a run that ended badly without naming
 * a failed test, are one failure each: nothing that went wrong may count as nothing.
 * @param {string | null} report the text of jest's JSON report, null when there is none
 * @param {number | null} exitCode
 * @returns {FileRun[]} a failure of the run itself has an empty path
 * @public for the tests
 */
export function readFiles(report, exitCode) {
  const results = parse(report);
  const files = (results?.testResults ?? []).map(readFile);
  const isLost = results === null || (exitCode !== 0 && files.every(({ failed }) => failed === 0));
  return isLost ? [...files, { path: '', passed: 0, failed: 1, skipped: 0, ms: 0 }] : files;
}

/**
 * One stage for each kind, and one more if the run itself has failed.
 * @param {FileRun[]} files
 * @param {string[]} kinds
 * @returns {import('./summary.mjs').Stage[]}
 */
export function stagesByKind(files, kinds) {
  const lost = files.filter(({ path }) => path === '');
  const stages = kinds.map((kind) =>
    stageOf(
      kind,
      files.filter(({ path }) => kindOf(path) === kind),
    ),
  );
  return lost.length === 0 ? stages : [...stages, stageOf('jest', lost)];
}

/** @param {string} name @param {FileRun[]} files @returns {import('./summary.mjs').Stage} */
export function stageOf(name, files) {
  const sum = (field) => files.reduce((total, file) => total + (file[field] ?? 0), 0);
  const [passed, failed, skipped, flaky] = ['passed', 'failed', 'skipped', 'flaky'].map(sum);
  return { name, passed, failed, skipped, ms: sum('ms'), ...(flaky > 0 ? { flaky } : {}), files };
}

function readFile({ name, status, startTime, endTime, assertionResults, message = '' }) {
  const count = (...statuses) => assertionResults.filter((test) => statuses.includes(test.status)).length;
  const failures = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => ({ test: fullName, message: firstLine(failureMessages?.[0]) }));
  if (failures.length === 0 && status === 'failed')
    failures.push({ test: 'the file itself', message: firstLine(message) });
  return {
    path: relative(root, name),
    passed: count('passed'),
    failed: failures.length,
    skipped: count('pending', 'todo', 'skipped', 'disabled'),
    ms: endTime - startTime,
    ...(failures.length > 0 ? { failures } : {}),
  };
}

/** The first line that says something: jest begins a file's message with a bullet. */
function firstLine(message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('●')) ?? '';
}

function kindOf(path) {
  return jestConfig.projects.find(({ testRegex }) => new RegExp(testRegex).test(`/${path}`))?.displayName;
}

function parse(report) {
  try {
    return JSON.parse(report);
  } catch {
    return null;
  }
}
