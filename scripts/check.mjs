/** npm run check: format, lint, types, architecture, unused code and the unit tests, in under a minute. */
import { join } from 'node:path';
import { runCheckSteps } from './lib/check-steps.mjs';
import { runJest, stageOf } from './lib/jest-run.mjs';
import { prepare } from './lib/prepare.mjs';
import { runScript } from './lib/run-script.mjs';
import { say } from './lib/say.mjs';
import { closingLine, exitCodeOf, stageTable } from './lib/summary.mjs';

await runScript('check', async ({ folder, keeper }) => {
  await prepare({ keeper, folder, build: false, lab: false });
  const steps = await runCheckSteps(keeper, join(folder, 'logs'));
  say();
  const unit = await runJest(keeper, { name: 'unit', kinds: ['unit'], folder, filter: [], env: {} });
  const all = [...steps, stageOf('unit', unit)];
  say(`\n${stageTable(all)}\n\n${closingLine(all)}`);
  return exitCodeOf(all);
});
