import type { ServerTree } from './server-tree.js';
import type { ServerTask } from './keeper.js';

export interface UnboundOptions {
  /** Where it listens. */
  readonly listen: { readonly address: string; readonly ports: readonly number[] };
  /** The authoritative server that it takes for the root. */
  readonly root: { readonly address: string; readonly port: number };
  /** Zones of that server. Each is one of its own to the resolver: below a signed root, some are not signed. */
  readonly zones: readonly string[];
  /** DS or DNSKEY records, as in a zone file, of zones whose answers have to be signed. */
  readonly trustAnchors?: readonly string[];
}

/** Unbound, the validating resolver that the service and the mail servers ask. */
export function unboundTask(tree: ServerTree, options: UnboundOptions): ServerTask {
  tree.place('/etc/unbound/bench.conf', configuration(options));
  return { name: 'unbound', ...tree.inside('/usr/sbin/unbound', '-d', '-c', '/etc/unbound/bench.conf') };
}

function configuration({ listen, root, zones, trustAnchors = [] }: UnboundOptions): string {
  return [
    'server:',
    '  username: ""',
    '  chroot: ""',
    '  directory: "/etc/unbound"',
    '  pidfile: ""',
    '  use-syslog: no',
    '  num-threads: 1',
    '  msg-cache-size: 1m',
    '  rrset-cache-size: 1m',
    ...listen.ports.map((port) => `  interface: ${listen.address}@${port}`),
    '  access-control: 127.0.0.0/8 allow',
    '  do-ip6: no',
    '  do-not-query-localhost: no',
    '  module-config: "validator iterator"',
    // The names of documentation, which Unbound answers itself unless told not to (RFC 6761).
    '  local-zone: "test." nodefault',
    '  local-zone: "127.in-addr.arpa." nodefault',
    ...trustAnchors.map((anchor) => `  trust-anchor: "${anchor}"`),
    'remote-control:',
    '  control-enable: no',
    ...zones.flatMap((zone) => ['stub-zone:', `  name: "${zone}"`, `  stub-addr: ${root.address}@${root.port}`]),
    '',
  ].join('\n');
}
