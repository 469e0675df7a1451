/**
 * npm run bench [-- [--compare FILE] part of a bench's name …]: runs every bench of `bench/`, one after the other, each in its own
 * process. Prints one table, each figure with its baseline from the same rounds, and stores the numbers in
 * `.local/bench/results/`; with --compare, a second table beside such a file. The exit code is 0 unless a bench failed or a figure exceeds its limit.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { benchApi } from './lib/bench-api.mjs';
import { benchTable, comparison, keepResults, onTarget, overLimit, readKept, runBench } from './lib/bench-figures.mjs';
import { installChromium } from './lib/chromium.mjs';
import { root, shortPath } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runScript } from './lib/run-script.mjs';
import { say, step } from './lib/say.mjs';
import { scriptOptions } from './lib/script-options.mjs';
import { Trouble } from './lib/trouble.mjs';

const { compare, words: wanted } = scriptOptions(
  process.argv.slice(2),
  { compare: { type: 'string' } },
  'npm run bench -- [--compare FILE] [part of a bench’s name …]',
  { takesWords: true },
);

await runScript('bench', async ({ folder, keeper }) => {
  const kept = compare === undefined ? null : readKept(compare);
  const names = readdirSync(join(root, 'bench'))
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => file.slice(0, -'.bench.ts'.length))
    .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (names.length === 0) throw new Trouble(`No bench has "${wanted.join('" or "')}" in its name.`);

  say('Mailvet bench');
  const needsApi = names.some((name) => name.endsWith('.api'));
  await prepare({ keeper, folder, build: needsApi, lab: false, bench: true });
  if (names.some((name) => name.includes('page'))) await installChromium();
  const env = needsApi ? await benchApi(keeper, folder) : {};
  const benches = [];
  for (const name of names) {
    const figures = await step(name, () => runBench(keeper, { name, folder, env }));
    benches.push({ name, figures });
  }
  const figures = benches.flatMap((bench) => bench.figures);
  say(`\n${benchTable(figures)}\n`);
  if (kept !== null) say(`Beside ${compare}:\n\n${comparison(figures, kept)}\n`);
  say(`The rounds are in ${shortPath(keepResults(folder, benches))}; what they mean is in bench/README.md.`);
  const limited = figures.filter(({ atMost }) => atMost !== undefined);
  const over = limited.filter(overLimit);
  for (const { what, unit, atMost } of over) say(`${what} is over its limit of ${atMost} ${unit}.`);
  if (limited.length > 0 && over.length === 0) say(`${limited.length} figures have a limit; all keep it.`);
  const aimed = figures.filter(({ target }) => target !== undefined);
  const short = aimed.filter((figure) => !onTarget(figure));
  for (const { what, baseline } of short) say(`${what} beside ${baseline.what}: the ratio misses its target.`);
  if (aimed.length > 0) say(`${aimed.length - short.length} of ${aimed.length} ratios with a target reach it.`);
  return over.length === 0 ? 0 : 1;
});
