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
import { say } from './lib/say.mjs';
import { closingLine, exitCodeOf, stageTable } from './lib/summary.mjs';
import { parseTestArguments } from './lib/test-arguments.mjs';

/** Stages with tests against real mail and name servers. Where those are impossible, such tests say so and are skipped. */
const withRealServers = new Set(['e2e', 'mta']);

await runScript('test', async ({ folder, keeper }) => {
  const { stages, filter, needsServers } = parseTestArguments(process.argv.slice(2));
  const done = [];
  try {
    await prepare({ keeper, folder, build: needsServers, lab: needsServers });
    const env = needsServers ? await testServers(keeper, folder) : {};
    if (stages.some((name) => withRealServers.has(name))) await unpackMailServers();
    for (const name of stages) {
      say(`\n${name}`);
      if (name === 'check') done.push(...(await runCheckSteps(keeper, join(folder, 'logs'))));
      else done.push(await runJestStage(keeper, { name, folder, filter, env }));
    }
  } catch (error) {
    explain(error);
    done.push({ name: 'preparation', passed: 0, failed: 1, skipped: 0, ms: 0 });
  }
  say(`\n${stageTable(done)}\n\n${closingLine(done)}`);
  return exitCodeOf(done);
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
