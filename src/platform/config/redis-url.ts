export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly user: string | null;
  readonly password: string | null;
  readonly tls: boolean;
}

/** The Redis of `REDIS_URL`. Holds passwords. */
export type RedisTarget =
  /** One server; ioredis reads the URL. */
  | { readonly kind: 'server'; readonly url: string }
  /** A primary whose address sentinels tell. User and password are those of the servers. */
  | (Login & {
      readonly kind: 'sentinel';
      readonly sentinels: readonly RedisHost[];
      readonly name: string;
      readonly number: number;
      readonly sentinelUser: string | null;
      readonly sentinelPassword: string | null;
    })
  /** A cluster. The hosts are those to ask first. */
  | (Login & { readonly kind: 'cluster'; readonly hosts: readonly RedisHost[] });

export const REDIS_URL_RULE =
  'must be redis://[user:password@]host[:port][/number], redis+sentinel://[user:password@]host[:port],…/name[/number] ' +
  'or redis+cluster://[user:password@]host[:port],…, and begin with rediss for TLS';

const SEVERAL = /^redis(s?)\+(sentinel|cluster):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^@/?#]+)(\/[^?#]*)?(\?[^#]*)?$/i;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const SENTINEL_PORT = 26_379;
const SERVER_PORT = 6379;

/**
 * Parses `REDIS_URL`; user, password and name are percent-encoded where needed. The sentinels' own login follows as
 * `?sentinel_user=…&sentinel_password=…`.
 * @returns null when it is of no known form; never echoes the text
 * @throws RangeError with a better message
 */
export function parseRedisUrl(text: string): RedisTarget | null {
  if (/^(mysql|mariadb|memcached?|amqps?|postgres(ql)?):/i.test(text)) {
    throw new RangeError(`names another kind of server: ${REDIS_URL_RULE}`);
  }
  try {
    return /^rediss?:/i.test(text) ? oneServer(text) : severalServers(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function oneServer(text: string): RedisTarget | null {
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  if (authority.includes(',')) {
    throw new RangeError(`names several hosts, which sentinels or a cluster have: ${REDIS_URL_RULE}`);
  }
  if (!URL.canParse(text)) return null;
  const { username, password, hostname, pathname, search, hash } = new URL(text);
  for (const part of [username, password]) decoded(part);
  // The client would take parameters as its options, also such as TLS, and pass over those that it does not know.
  if (hostname === '' || search !== '' || hash !== '') return null;
  return /^\/?\d{0,3}$/.test(pathname) ? { kind: 'server', url: text } : null;
}

function severalServers(text: string): RedisTarget | null {
  const [, s, kind, user = '', password = '', list, path = '', query = ''] = SEVERAL.exec(text) ?? [];
  if (kind === undefined || list === undefined) return null;
  const login: Login = { user: decoded(user), password: decoded(password), tls: s !== '' };
  if (kind.toLowerCase() === 'cluster') {
    if (/^\/\d+$/.test(path)) throw new RangeError('must end after the hosts: a cluster has no numbered databases');
    const hosts = parseHosts(list, SERVER_PORT);
    return hosts === null || query !== '' || !/^\/?$/.test(path) ? null : { kind: 'cluster', hosts, ...login };
  }
  const sentinels = parseHosts(list, SENTINEL_PORT);
  const [, name, number = '0'] = /^\/([^/]+)(?:\/(\d{1,3}))?$/.exec(path) ?? [];
  const ofSentinels = new URLSearchParams(query);
  const isKnown = [...ofSentinels.keys()].every((key) => key === 'sentinel_user' || key === 'sentinel_password');
  if (name === undefined) throw new RangeError('must name the primary after the sentinels, as …/name');
  if (sentinels === null || !isKnown) return null;
  return {
    kind: 'sentinel',
    sentinels,
    name: decodeURIComponent(name),
    number: Number(number),
    sentinelUser: ofSentinels.get('sentinel_user'),
    sentinelPassword: ofSentinels.get('sentinel_password'),
    ...login,
  };
}

function parseHosts(list: string, usualPort: number): readonly RedisHost[] | null {
  const hosts = list.split(',').map((entry): RedisHost | null => {
    const [, host, digits] = HOST.exec(entry) ?? [];
    const port = digits === undefined ? usualPort : Number(digits);
    return host === undefined || port < 1 || port > 65_535 ? null : { host: host.replace(/^\[|\]$/g, ''), port };
  });
  return hosts.every((host) => host !== null) ? hosts : null;
}

function decoded(text: string): string | null {
  return text === '' ? null : decodeURIComponent(text);
}
