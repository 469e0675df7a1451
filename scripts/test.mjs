/**
 * npm test [-- --only unit,e2e] [part of a file name …]: everything that must hold, on a machine with Node and nothing
 * else. The last line is `N passed, N failed`; the exit code is 0 only if nothing failed.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { allOf } from './lib/all-of.mjs';
import { runCheckSteps } from './lib/check-steps.mjs';
import { installChromium } from './lib/chromium.mjs';
import { installGalera } from './lib/galera.mjs';
import { runFailedAgain, runJest, stagesByKind } from './lib/jest-run.mjs';
import { unpackMailServers } from './lib/mail-servers.mjs';
import { installOpenapiTools } from './lib/openapi-tools.mjs';
import { prepare } from './lib/prepare.mjs';
import { bringUpServers } from './lib/private-servers.mjs';
import { findPromtool } from './lib/promtool.mjs';
import { explain, runScript } from './lib/run-script.mjs';
import { installRuntimes, runOnOtherRuntimes } from './lib/runtimes.mjs';
import { duration, say } from './lib/say.mjs';
import { closingLine, exitCodeOf, failureTable, slowestTable, stageTable } from './lib/summary.mjs';
import { parseTestArguments } from './lib/test-arguments.mjs';

/** Stages with tests against real mail and name servers. Where those are impossible, such tests say so and are skipped. */
const withRealServers = new Set(['e2e', 'mta']);

await runScript('test', async ({ folder, keeper }) => {
  const { stages, filter, needsServers } = parseTestArguments(process.argv.slice(2));
  const kinds = stages.filter((stage) => stage !== 'check' && stage !== 'runtimes');
  const logs = join(folder, 'logs');
  const checked = [];
  const tests = { name: 'tests', kinds, folder, filter, env: {} };
  let files = [];
  const others = [];
  try {
    await allOf(
      prepare({ keeper, folder, build: false, lab: false }),
      needsServers && testServers(keeper, folder).then((env) => (tests.env = env)),
      stages.some((name) => withRealServers.has(name)) && unpackMailServers(),
      stages.includes('browser') && installChromium(),
      stages.includes('e2e') && installGalera(),
      stages.includes('contract') && findPromtool(),
      // npm waits for the registry about half of the time.
      stages.includes('runtimes') && installRuntimes(keeper, logs),
      stages.includes('check') && installOpenapiTools(keeper, logs),
    );
    // The longest tests, which come first, wait for most of their time: the checks compute meanwhile.
    await allOf(
      stages.includes('check') && runCheckSteps(keeper, logs).then((steps) => checked.push(...steps)),
      runTests(),
    );
    files = await runFailedAgain(keeper, tests, files);
  } catch (error) {
    explain(error);
    others.push({ name: 'preparation', passed: 0, failed: 1, skipped: 0, ms: 0 });
  }
  const done = [...checked, ...stagesByKind(files, kinds), ...others];
  const failures = failureTable(done);
  say(`\n${slowestTable(done)}\n\n${stageTable(done)}`);
  if (failures !== null) say(`\n${failures}`);
  say(`\n  All of it took ${duration(performance.now())}.\n\n${closingLine(done)}`);
  return exitCodeOf(done);

  async function runTests() {
    if (needsServers) await prepare({ keeper, folder, clients: true });
    await allOf(
      kinds.length > 0 && runJest(keeper, tests).then((run) => (files = run)),
      stages.includes('runtimes') &&
        runOnOtherRuntimes(keeper, { folder, env: tests.env }).then((run) => others.push(...run)),
    );
  }
});

/** Every run begins with empty private servers. */
async function testServers(keeper, folder) {
  for (const name of ['mariadb', 'redis']) rmSync(join(folder, name), { recursive: true, force: true });
  const { databaseUrl, redisUrl } = await bringUpServers(keeper, {
    folder,
    database: 'mailvet_test',
    appendOnly: false,
  });
  return { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
}
