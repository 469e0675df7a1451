import { duration } from './say.mjs';
import { table } from './table.mjs';

/** @typedef {{ name: string, passed: number, failed: number, skipped: number, ms: number }} Stage */

/** A table of what each stage counted. @param {Stage[]} stages */
export function stageTable(stages) {
  const rows = stages.map(({ name, passed, failed, skipped, ms }) => [name, passed, failed, skipped, duration(ms)]);
  return table(['stage', 'passed', 'failed', 'skipped', 'time'], rows);
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
