import type { ServerTask } from './keeper.js';
import type { ServerTree } from './server-tree.js';

export interface EximOptions {
  /** Addresses it listens on, each `address:port`. */
  readonly listen: readonly string[];
  /** Main options, each a line as in the configuration. */
  readonly main: readonly string[];
  readonly acl: readonly string[];
  readonly routers: readonly string[];
}

/** Exim's daemon, with a configuration of its own; it receives and never delivers. */
export function eximTask(tree: ServerTree, options: EximOptions): ServerTask {
  const own = { user: 'Debian-exim', group: 'Debian-exim' } as const;
  tree.folder('/var/spool/exim4', own);
  tree.folder('/var/log/exim4', own);
  tree.place('/etc/exim4/bench.conf', configuration(options));
  return {
    name: 'exim',
    ownLog: '/var/log/exim4/paniclog',
    ...tree.inside('/usr/sbin/exim4', '-bdf', '-C', '/etc/exim4/bench.conf'),
  };
}

function configuration({ listen, main, acl, routers }: EximOptions): string {
  return [
    `local_interfaces = <; ${listen.map(bracketed).join(' ; ')}`,
    'spool_directory = /var/spool/exim4',
    'log_file_path = /var/log/exim4/%slog',
    'keep_environment =',
    'host_lookup =',
    'rfc1413_query_timeout = 0s',
    'tls_advertise_hosts =',
    ...main,
    'begin acl',
    ...acl,
    'begin routers',
    ...routers,
    'begin transports',
    'nowhere:',
    '  driver = appendfile',
    '  file = /dev/null',
    '  user = nobody',
    'onward:',
    '  driver = smtp',
    '  allow_localhost',
    '',
  ].join('\n');
}

/** `127.0.0.1:25` as Exim writes it. */
function bracketed(endpoint: string): string {
  const [address, port] = endpoint.split(':');
  return `[${address}]:${port}`;
}
