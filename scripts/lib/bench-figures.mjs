import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { table } from './table.mjs';
import { Trouble } from './trouble.mjs';

/**
 * A bench that takes longer has hung: the longest takes three minutes on a quiet machine. A soak takes its configured
 * time, and a ledger a millisecond for each of its rows at most.
 */
const maxMs = 10 * 60_000 + Number(process.env.SOAK_SECONDS ?? 0) * 1000 + Number(process.env.LEDGER_ROWS ?? 0);

/**
 * @typedef {object} Figure what `bench/lib/figure.ts` describes
 * @property {string} what
 * @property {string} unit
 * @property {number[]} rounds
 * @property {{ what: string, rounds: number[] }} baseline
 * @property {number} [atMost]
 * @property {{ atLeast?: number, atMost?: number }} [target] of the ratio
 */

/**
 * Runs one bench to its end.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ name: string, folder: string, env: Record<string, string> }} bench
 * @returns {Promise<Figure[]>}
 */
export async function runBench(keeper, { name, folder, env }) {
  const log = join(folder, 'logs', `${name}.log`);
  const report = join(folder, 'report.json');
  for (const file of [log, report]) rmSync(file, { force: true });
  const { code } = await keeper.run({
    name,
    command: process.execPath,
    args: [join(root, '.local', 'build', 'bench', 'bench', `${name}.bench.js`)],
    cwd: root,
    env: { ...env, BENCH_REPORT: report },
    log,
    maxMs,
  });
  if (code !== 0 || !existsSync(report)) throw new Trouble(`The bench ${name} failed.`, { log });
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** @param {Figure[]} figures */
export function benchTable(figures) {
  return table(
    ['figure', 'unit', 'median', 'spread', 'baseline', 'its median', 'ratio', 'target'],
    figures.map(({ what, unit, rounds, baseline, target }) => [
      what,
      unit,
      rounded(median(rounds)),
      spread(rounds),
      baseline.what,
      rounded(median(baseline.rounds)),
      rounded(ratio({ rounds, baseline })),
      target ? toBeReached(target) : '',
    ]),
  );
}

function toBeReached({ atLeast, atMost }) {
  if (atLeast === undefined) return `≤ ${atMost}`;
  return atMost === undefined ? `≥ ${atLeast}` : `${atLeast} to ${atMost}`;
}

/** @param {Figure} figure whether the ratio is what it is to be; also where it is to be nothing */
export function onTarget({ rounds, baseline, target }) {
  const reached = ratio({ rounds, baseline });
  return !(reached < target?.atLeast) && !(reached > target?.atMost);
}

function ratio(figure) {
  return median(ratios(figure));
}

function ratios({ rounds, baseline }) {
  return rounds.map((value, round) => value / baseline.rounds[round]);
}

function spread(values) {
  return `${rounded(Math.min(...values))} to ${rounded(Math.max(...values))}`;
}

/**
 * The ratios of figures beside those of a kept run, with their spreads: absolute numbers of two runs say nothing.
 * @param {Figure[]} figures
 * @param {Figure[]} kept
 */
export function comparison(figures, kept) {
  const rows = figures.flatMap((figure) => {
    const early = kept.find((other) => nameOf(other) === nameOf(figure));
    return early === undefined ? [] : [{ figure, early: ratios(early), now: ratios(figure) }];
  });
  return table(
    ['figure', 'beside', 'kept ratio', 'its spread', 'ratio', 'spread', ''],
    rows.map(({ figure, early, now }) => [
      figure.what,
      figure.baseline.what,
      rounded(median(early)),
      spread(early),
      rounded(median(now)),
      spread(now),
      Math.min(...now) > Math.max(...early) || Math.max(...now) < Math.min(...early) ? 'apart' : '',
    ]),
  );
}

/**
 * @param {string} file what `keepResults` wrote
 * @returns {Figure[]}
 */
export function readKept(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).benches.flatMap(({ figures }) => figures);
  } catch (error) {
    throw new Trouble(`${file} is no kept run of the benches (${error.message}); they are in .local/bench/results/.`);
  }
}

function nameOf({ what, baseline }) {
  return `${what} beside ${baseline.what}`;
}

/** @param {Figure} figure */
export function overLimit({ rounds, atMost }) {
  return atMost !== undefined && median(rounds) > atMost;
}

/**
 * Stores every round of every figure, with facts about the machine.
 * @param {string} folder
 * @param {{ name: string, figures: Figure[] }[]} benches
 * @returns {string} the file
 */
export function keepResults(folder, benches) {
  const at = new Date().toISOString();
  const machine = { node: process.version, cpus: cpus().map(({ model }) => model), loadAverage: loadavg() };
  const file = join(folder, 'results', `${at.replaceAll(/[:.]/g, '-')}.json`);
  mkdirSync(join(folder, 'results'), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ at, machine, benches }, null, 2)}\n`);
  return file;
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2;
}

/** Rounds to significant digits. */
function rounded(value) {
  if (value === null || Number.isNaN(value)) return '-';
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
