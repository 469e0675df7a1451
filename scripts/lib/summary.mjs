import { duration } from './say.mjs';
import { table } from './table.mjs';

/**
 * `ms` of tests: that of their files, added up, though several run at a time.
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, ms: number, files?: import('./jest-run.mjs').FileRun[] }} Stage
 */

const slowestShown = 30;

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

/** The closing line that people and machines read: `12 passed, 0 failed`, with what was skipped, if any. */
export function closingLine(stages) {
  const sum = (field) => stages.reduce((total, stage) => total + stage[field], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** 0 when something passed and nothing failed. */
export function exitCodeOf(stages) {
  return stages.some(({ passed }) => passed > 0) && stages.every(({ failed }) => failed === 0) ? 0 : 1;
}
