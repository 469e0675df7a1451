import type { ServerTree } from './server-tree.js';
import type { ServerTask } from './keeper.js';

const CONFIGURATION = '/etc/knot/bench.conf';
const KEYS = '/var/lib/knot/keys';

/** Records by zone (`test`, `.`), each line as in a zone file, with names relative to the zone. */
export type Zones = Readonly<Record<string, readonly string[]>>;

/**
 * Knot, the authoritative server of these zones.
 * @param signed those it signs as it loads them; they need keys (`makeKey`)
 */
export function knotTask(
  tree: ServerTree,
  listen: { readonly address: string; readonly port: number },
  zones: Zones,
  signed: readonly string[] = [],
): ServerTask {
  for (const [zone, records] of Object.entries(zones)) tree.place(zoneFile(zone), zoneText(zone, records));
  tree.folder(KEYS);
  tree.place(CONFIGURATION, configuration(listen, Object.keys(zones), signed));
  return { name: 'knot', ...tree.inside('/usr/sbin/knotd', '-c', CONFIGURATION) };
}

/** Makes the key that a zone will be signed with, between `knotTask` and its start. @returns its DS record, as in a zone file */
export async function makeKey(tree: ServerTree, zone: string): Promise<string> {
  await tree.run(
    '/usr/sbin/keymgr',
    '-c',
    CONFIGURATION,
    absolute(zone),
    'generate',
    'algorithm=13',
    'ksk=yes',
    'zsk=yes',
  );
  const records = await tree.run('/usr/sbin/keymgr', '-c', CONFIGURATION, absolute(zone), 'ds');
  return records.split('\n').find((line) => / DS \d+ 13 2 /.test(line)) ?? '';
}

function zoneFile(zone: string): string {
  return `/zones/${zone === '.' ? 'root' : zone}.zone`;
}

function zoneText(zone: string, records: readonly string[]): string {
  return [
    `$ORIGIN ${absolute(zone)}`,
    '$TTL 60',
    '@ SOA ns.test. hostmaster.test. 1 3600 600 86400 60',
    '@ NS ns.test.',
    ...records,
    '',
  ].join('\n');
}

function configuration(
  { address, port }: { readonly address: string; readonly port: number },
  zones: readonly string[],
  signed: readonly string[],
): string {
  return [
    'server:',
    `  listen: ${address}@${port}`,
    '  rundir: /run',
    '  udp-workers: 1',
    '  tcp-workers: 1',
    '  background-workers: 1',
    'database:',
    '  storage: /var/lib/knot',
    `  kasp-db: ${KEYS}`,
    'policy:',
    '  - id: own-keys',
    '    manual: on',
    '    single-type-signing: on',
    'template:',
    '  - id: default',
    '    zonefile-load: whole',
    '    zonefile-sync: -1',
    '    journal-content: none',
    'zone:',
    ...zones.flatMap((zone) => [
      `  - domain: ${absolute(zone)}`,
      `    file: ${zoneFile(zone)}`,
      ...(signed.includes(zone) ? ['    dnssec-signing: on', '    dnssec-policy: own-keys'] : []),
    ]),
    '',
  ].join('\n');
}

function absolute(zone: string): string {
  return zone === '.' ? '.' : `${zone}.`;
}
