import type { ServerTask } from './keeper.js';
import type { ServerTree } from './server-tree.js';

/** OpenSMTPD, with the lines of its smtpd.conf; it receives and never delivers. */
export function openSmtpdTask(tree: ServerTree, lines: readonly string[]): ServerTask {
  tree.folder('/var/lib/opensmtpd/empty');
  tree.folder('/var/spool');
  tree.folder('/var/run');
  tree.place('/etc/mailname', 'opensmtpd.test\n');
  tree.place('/etc/smtpd.bench.conf', `${lines.join('\n')}\n`);
  return { name: 'opensmtpd', ...tree.inside('/usr/sbin/smtpd', '-d', '-f', '/etc/smtpd.bench.conf') };
}
