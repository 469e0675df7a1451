/**
 * npm test [-- --only unit,e2e] [part of a file name …]: everything that must hold, on a machine with Node and nothing
 * else. The last line is `N passed, N failed`; the exit code is 0 only if nothing failed.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCheckSteps } from './lib/check-steps.mjs';
import { runJestStage } from './lib/jest-stage.mjs';
import { unpackMailServers } from './lib/mail-servers.mjs';
import { prepare } from './lib/prepare.mjs';
import { bringUpServers } from './lib/private-servers.mjs';
import { explain, runScript } from './lib/run-script.mjs';
import { runOnOtherRuntimes } from './lib/runtimes.mjs';
import { say } from './lib/say.mjs';
import { closingLine, exitCodeOf, stageTable } from './lib/summary.mjs';
import { parseTestArguments } from './lib/test-arguments.mjs';

/** Stages with tests against real mail and name servers. Where those are impossible, such tests say so and are skipped. */
const withRealServers = new Set(['e2e', 'mta']);

await runScript('test', async ({ folder, keeper }) => {
  const { stages, filter, needsServers } = parseTestArguments(process.argv.slice(2));
  const done = [];
  try {
    await allOf(
      prepare({ keeper, folder, build: false, lab: false }),
      stages.some((name) => withRealServers.has(name)) && unpackMailServers(),
    );
    await allOf(
      needsServers && prepare({ keeper, folder }),
      stages.includes('check') && runCheckSteps(keeper, join(folder, 'logs')).then((steps) => done.push(...steps)),
    );
    const env = needsServers ? await testServers(keeper, folder) : {};
    for (const name of stages.filter((stage) => stage !== 'check' && stage !== 'runtimes')) {
      say(`\n${name}`);
      done.push(await runJestStage(keeper, { name, folder, filter, env }));
    }
    if (stages.includes('runtimes')) done.push(...(await runOnOtherRuntimes(keeper, { folder, env })));
  } catch (error) {
    explain(error);
    done.push({ name: 'preparation', passed: 0, failed: 1, skipped: 0, ms: 0 });
  }
  say(`\n${stageTable(done)}\n\n${closingLine(done)}`);
  return exitCodeOf(done);
});

/** Waits for all of them, also where one fails: nothing goes on behind the closing line. Throws what the first threw. */
async function allOf(...works) {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

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
