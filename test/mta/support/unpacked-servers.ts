import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const SCRIPT = resolve(__dirname, '../../../scripts/mail-servers.mjs');

/**
 * The tree that the real servers were unpacked into (downloaded and unpacked now where that was not done yet), or null,
 * and a printed line, on a machine that cannot have them: such tests are skipped, by
 * `(tree === null ? describe.skip : describe)(...)`. Throws where it should work and does not.
 */
export function unpackedServers(): string | null {
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('the real mail and name servers could not be unpacked: the reason stands above');
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  const found = JSON.parse(last) as { kind: 'ready'; tree: string } | { kind: 'impossible'; why: string };
  if (found.kind === 'ready') return found.tree;
  process.stdout.write(`skipped: no real mail and name servers, for ${found.why}\n`);
  return null;
}
