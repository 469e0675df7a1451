import type { ServerTask } from './keeper.js';
import type { ServerTree } from './server-tree.js';

/** Where Postfix finds it: `check_policy_service inet:…`. */
export interface PostgreyOptions {
  readonly listen: { readonly address: string; readonly port: number };
  /** How long a first attempt is put off. */
  readonly delaySeconds: number;
}

/** Postgrey, the greylisting service of Postfix. */
export function postgreyTask(tree: ServerTree, { listen, delaySeconds }: PostgreyOptions): ServerTask {
  tree.addPostgrey();
  tree.folder('/var/lib/postgrey', { user: 'postgrey', group: 'postgrey' });
  const args = [
    `--inet=${listen.address}:${listen.port}`,
    `--delay=${delaySeconds}`,
    '--dbdir=/var/lib/postgrey',
    '--auto-whitelist-clients=0',
  ];
  return { name: 'postgrey', env: { LC_ALL: 'C' }, ...tree.inside('/usr/sbin/postgrey', ...args) };
}
