import { spawnSync } from 'node:child_process';

/** In 127.0.0.0/8, but nobody's usual address. */
const SOME_ADDRESS = '127.31.53.53';
const TRY = `require('net').createServer().on('error', () => process.exit(1)).listen(53, '${SOME_ADDRESS}', () => process.exit(0))`;

let free: boolean | null = null;

/**
 * Whether a name server of the tests can have port 53, the only one that mail servers ask: not where another server has
 * it on every address. Tests in which a mail server asks the DNS about us are skipped then.
 */
export function isDnsPortFree(): boolean {
  if (free === null) {
    free = spawnSync(process.execPath, ['-e', TRY], { stdio: 'ignore' }).status === 0;
    if (!free) process.stdout.write('skipped: mail servers that ask the DNS about us, for port 53 is taken\n');
  }
  return free;
}
