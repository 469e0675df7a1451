import type { ServerTask } from './keeper.js';
import type { ServerTree } from './server-tree.js';

/** One listener of Postfix. */
export interface PostfixListener {
  /** `postscreen` stands in front of an `smtpd` of the same settings. */
  readonly program?: 'smtpd' | 'postscreen';
  /** main.cf parameters that hold for this listener alone. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface PostfixOptions {
  /** main.cf parameters of all listeners. */
  readonly settings: Readonly<Record<string, string>>;
  /** By `address:port`. */
  readonly listeners: Readonly<Record<string, PostfixListener>>;
}

const CONFIGURATION = '/etc/postfix';
const LOG = '/var/log/postfix.log';

/** Postfix as Debian ships it, master and all; it receives and never delivers. */
export function postfixTask(tree: ServerTree, options: PostfixOptions): ServerTask {
  tree.place(`${CONFIGURATION}/main.cf`, mainCf(options.settings));
  tree.place(`${CONFIGURATION}/master.cf`, masterCf(options.listeners));
  const own = { user: 'postfix', mode: 0o700 } as const;
  tree.folder('/var/lib/postfix', own);
  tree.folder('/var/spool/postfix');
  for (const queue of ['incoming', 'active', 'deferred', 'defer', 'bounce', 'hold', 'corrupt', 'private']) {
    tree.folder(`/var/spool/postfix/${queue}`, own);
  }
  tree.folder('/var/spool/postfix/public', { user: 'postfix', group: 'postdrop', mode: 0o710 });
  tree.folder('/var/spool/postfix/maildrop', { user: 'postfix', group: 'postdrop', mode: 0o730 });
  tree.folder('/var/spool/postfix/pid');
  return {
    name: 'postfix',
    ownLog: LOG,
    ...tree.inside('/usr/lib/postfix/sbin/master', '-d', '-s', '-c', CONFIGURATION),
  };
}

function mainCf(settings: Readonly<Record<string, string>>): string {
  const all = {
    compatibility_level: '3.6',
    inet_protocols: 'ipv4',
    // Nobody is trusted for being on this machine.
    mynetworks: '192.0.2.1',
    smtpd_client_event_limit_exceptions: '',
    maillog_file: LOG,
    smtpd_error_sleep_time: '0',
    // No queue manager runs here, and a recipient is not to wait for one.
    in_flow_delay: '0',
    ...settings,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}

function masterCf(listeners: PostfixOptions['listeners']): string {
  const lines = Object.entries(listeners).flatMap(([endpoint, listener]) => listenerLines(endpoint, listener));
  return [...lines, ...HELPERS, ''].join('\n');
}

function listenerLines(endpoint: string, { program = 'smtpd', settings = {} }: PostfixListener): string[] {
  const options = Object.entries(settings).map(([name, value]) => `  -o { ${name} = ${value} }`);
  if (program === 'smtpd') return [`${endpoint} inet n - n - - smtpd`, ...options];
  const behind = `smtpd-${endpoint.replaceAll(/[.:]/g, '-')}`;
  return [
    `${endpoint} inet n - n - 1 postscreen`,
    ...options,
    `  -o { smtpd_service_name = ${behind} }`,
    `${behind} pass - - n - - smtpd`,
    ...options,
  ];
}

const HELPERS = [
  'cleanup unix n - n - 0 cleanup',
  'rewrite unix - - n - - trivial-rewrite',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'anvil unix - - n - 1 anvil',
  'dnsblog unix - - n - 0 dnsblog',
  'tlsproxy unix - - n - 0 tlsproxy',
  'proxymap unix - - n - - proxymap',
  'postlog unix-dgram n - n - 1 postlogd',
];
