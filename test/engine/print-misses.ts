import { misses, type Checked } from './engine-under-test.js';

export interface Judged {
  readonly id: string;
  readonly setup: string;
  readonly expect: Readonly<Record<string, unknown>>;
  readonly checked: Checked;
}

/** Lines of a dialogue worth reading in a test's output. */
const STORY_LINES = 30;

/** Prints how many cases are right, and for each that is not what was wrong and what the engine heard. */
export function printMisses(cases: readonly Judged[]): void {
  const wrong = cases.filter(({ checked, expect }) => misses(checked.result, expect).length > 0);
  const out = [`${cases.length - wrong.length} of ${cases.length} cases right`];
  for (const { id, setup, expect, checked } of wrong) {
    out.push('', `${id} (${Math.round(checked.tookMs)} ms) ${setup}`);
    out.push(...misses(checked.result, expect).map((miss) => `  ${miss}`));
    out.push(...checked.story.slice(-STORY_LINES).map((line) => `    ${line}`));
  }
  process.stdout.write(`${out.join('\n')}\n`);
}
