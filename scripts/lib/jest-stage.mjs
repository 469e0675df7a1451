import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';

/** A stage that takes longer has hung: it is stopped and counted as failed. */
const maxMs = 40 * 60_000;

/**
 * Files at a time. Integration tests wait a good part of their time, for retries and reconcilers; most others keep two cores
 * busy, and some hold the product to its deadlines.
 */
const workersOf = (name) => (name === 'integration' ? 3 : 2);

/**
 * Runs one kind of test (a project of jest.config.js) with its output on the terminal, and counts.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ name: string, folder: string, filter: string[], env: Record<string, string>, projects?: string[], node?: string }} stage
 *   `projects`: several, under a name of their own; `node`: another one than that which runs this
 * @returns {Promise<{ name: string, passed: number, failed: number, skipped: number, ms: number }>}
 */
export async function runJestStage(keeper, { name, folder, filter, env, projects = [name], node = process.execPath }) {
  const began = performance.now();
  const report = join(folder, 'results', `${name}.json`);
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const { code } = await keeper.run({
    name: `jest-${name}`,
    command: node,
    args: [
      join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
      '--selectProjects',
      ...projects,
      `--maxWorkers=${workersOf(name)}`,
      '--passWithNoTests',
      '--json',
      '--outputFile',
      report,
      ...filter,
    ],
    cwd: root,
    env,
    maxMs,
  });
  return {
    name,
    ...countTests(existsSync(report) ? readFileSync(report, 'utf8') : null, code),
    ms: performance.now() - began,
  };
}

/**
 * What a run of jest counts for. A file that could not be run at all, and a run that ended badly without naming a
 * failed test, are one failure each: nothing that went wrong may count as nothing.
 * @param {string | null} report the text of jest's JSON report, null when there is none
 * @param {number | null} exitCode
 * @public for the tests
 */
export function countTests(report, exitCode) {
  const results = parse(report);
  if (!results) return { passed: 0, failed: 1, skipped: 0 };
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  return {
    passed: results.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

function parse(report) {
  try {
    return JSON.parse(report);
  } catch {
    return null;
  }
}
