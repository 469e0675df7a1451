import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './paths.mjs';
import { duration, say } from './say.mjs';

/** Every `check:…` script of package.json is a step, and can be run alone. */
function readSteps() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(scripts)
    .filter(([name]) => name.startsWith('check:'))
    .map(([name, command]) => ({ name: name.slice('check:'.length), command }));
}

/** Exit code of a step that could not run and printed why on its last line (EX_TEMPFAIL). */
const notDone = 75;
const maxMs = 15 * 60_000;
const linesShown = 60;
const words = { passed: 'ok  ', skipped: 'SKIP', failed: 'FAIL' };

/**
 * Runs the steps two at a time and tells of each; the output of one that fails is shown.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {string} logs
 * @returns {Promise<{ name: string, passed: number, failed: number, skipped: number, ms: number }[]>}
 */
export async function runCheckSteps(keeper, logs) {
  const steps = readSteps();
  const done = [];
  let next = 0;
  const lane = async () => {
    while (next < steps.length) {
      const index = next++;
      done[index] = await runStep(keeper, logs, steps[index]);
    }
  };
  await Promise.all([lane(), lane()]);
  return done;
}

async function runStep(keeper, logs, { name, command }) {
  const began = performance.now();
  const log = join(logs, `check-${name}.log`);
  rmSync(log, { force: true });
  const [program, ...args] = command.split(' ');
  const path = program === 'node' ? process.execPath : join(root, 'node_modules', '.bin', program);
  const task = { name, command: path, args, cwd: root, log, maxMs };
  const { code } = await keeper.run(task);
  const ms = performance.now() - began;
  const outcome = outcomeOf(code);
  say(`  ${words[outcome]}  ${name.padEnd(14)} ${duration(ms)}`);
  if (outcome === 'failed') say(indented(lastLines(log, linesShown)));
  if (outcome === 'skipped') say(indented(lastLines(log, 1)));
  return { name, passed: 0, failed: 0, skipped: 0, [outcome]: 1, ms };
}

/**
 * What a step that ended so counts as.
 * @param {number | null} code
 * @returns {'passed' | 'skipped' | 'failed'}
 * @public for the tests
 */
export function outcomeOf(code) {
  if (code === 0) return 'passed';
  return code === notDone ? 'skipped' : 'failed';
}

function lastLines(file, count) {
  return stripVTControlCharacters(readFileSync(file, 'utf8')).trimEnd().split('\n').slice(-count);
}

function indented(lines) {
  return lines.map((line) => `        ${line}`).join('\n');
}
