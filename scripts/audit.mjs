/**
 * node scripts/audit.mjs: asks the registry for known faults of the production dependencies. Exit code 1 for faults of
 * moderate severity or more; 75 if the registry could not be asked, which is no pass: many mirrors do not answer.
 */
import { execFile } from 'node:child_process';
import { readAudit } from './lib/audit-report.mjs';
import { npm } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { say } from './lib/say.mjs';

const [command, ...before] = npm();
const args = [...before, 'audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
execFile(command, args, { cwd: root, timeout: 60_000, maxBuffer: 50_000_000 }, (_error, stdout) => {
  const { kind, lines } = readAudit(stdout);
  for (const line of lines) say(line);
  process.exitCode = { clean: 0, faults: 1, skipped: 75 }[kind];
});
