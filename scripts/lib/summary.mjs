import { duration } from './say.mjs';
import { table } from './table.mjs';

/**
 * `ms` of tests: that of their files, added up, though several run at a time.
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, ms: number, flaky?: number, files?: import('./jest-run.mjs').FileRun[] }} Stage
 */

const slowestShown = 30;
const mostShown = 120;

/** A table of what each stage counted. @param {Stage[]} stages */
export function stageTable(stages) {
  const rows = stages.map(({ name, passed, failed, skipped, ms }) => [name, passed, failed, skipped, duration(ms)]);
  return table(['stage', 'passed', 'failed', 'skipped', 'took'], rows);
}

/** A table of the files of tests that took longest. @param {Stage[]} stages */
export function slowestTable(stages) {
  const files = stages.flatMap(({ name, files: own = [] }) => own.map(({ path, ms }) => ({ name, path, ms })));
  const slowest = files.sort((one, other) => other.ms - one.ms).slice(0, slowestShown);
  return table(
    ['stage', 'slowest files', 'took'],
    slowest.map(({ name, path, ms }) => [name, path, duration(ms)]),
  );
}

/** A table of the tests that failed, and of those that passed only alone; null when there is none. @param {Stage[]} stages */
export function failureTable(stages) {
  const rows = stages.flatMap(({ files = [] }) =>
    files.flatMap(({ path, failures = [], flaky }) =>
      failures.map(({ test, message }) => [flaky ? 'passed alone' : 'failed', path, test, message]),
    ),
  );
  return rows.length === 0
    ? null
    : table(
        ['test', 'file', 'name', 'why'],
        rows.map((row) => row.map(shortened)),
      );
}

/** Whole tables of long names and messages are read nowhere. */
function shortened(text) {
  return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text;
}

/** The closing line that people and machines read: `12 passed, 0 failed`, with what was skipped and what passed only alone, if any. */
export function closingLine(stages) {
  const sum = (field) => stages.reduce((total, stage) => total + (stage[field] ?? 0), 0);
  const further = [
    [sum('skipped'), 'skipped'],
    [sum('flaky'), 'flaky'],
  ].filter(([count]) => count > 0);
  return [[sum('passed'), 'passed'], [sum('failed'), 'failed'], ...further].map((part) => part.join(' ')).join(', ');
}

/** 0 when something passed and nothing failed. */
export function exitCodeOf(stages) {
  return stages.some(({ passed }) => passed > 0) && stages.every(({ failed }) => failed === 0) ? 0 : 1;
}
