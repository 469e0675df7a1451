import type { Places } from './places.js';
import type { PostfixListener, PostfixOptions } from './postfix.js';

/** The parts of a plan that follow from the mail hosts of a Postfix. */
export interface PostfixHosts {
  /** Mail host by domain. */
  readonly domains: Readonly<Record<string, string>>;
  readonly listeners: PostfixOptions['listeners'];
  /** Names of the mail hosts. */
  readonly at: readonly string[];
}

/** One listener per name: `mx.<name>.test`, the mail host of `<name>.test`. */
export function postfixHosts(places: Places, hosts: Readonly<Record<string, PostfixListener>>): PostfixHosts {
  const names = Object.keys(hosts);
  const listeners = Object.entries(hosts).map(([name, { program = 'smtpd', settings = {} }]) => {
    const own = {
      myhostname: mailHost(name),
      ...(program === 'postscreen' && { postscreen_cache_map: `btree:$data_directory/${name}` }),
    };
    return [places.endpoint(mailHost(name)), { program, settings: { ...own, ...settings } }] as const;
  });
  return {
    domains: Object.fromEntries(names.map((name) => [`${name}.test`, mailHost(name)])),
    listeners: Object.fromEntries(listeners),
    at: names.map(mailHost),
  };
}

function mailHost(name: string): string {
  return `mx.${name}.test`;
}
