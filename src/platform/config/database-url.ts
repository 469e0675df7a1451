export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** A MySQL or MariaDB database. Holds a password. */
export interface DatabaseTarget extends DatabaseHost {
  /** Further hosts of the same database, in order of preference: its replicas, or the other nodes of a cluster. */
  readonly others: readonly DatabaseHost[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Encrypted, with the server's certificate verified. */
  readonly tls: boolean;
}

const MAX_HOSTS = 9;
const DEFAULT_PORT = 3306;

/**
 * Parses `mysql://user:password@host:port/database` (percent-encoded where needed), with `?ssl=true` for TLS. Further
 * hosts follow the first after commas.
 * @returns null when it is not of that form; never echoes the text
 * @throws RangeError when the scheme names another database
 */
export function parseDatabaseUrl(text: string): DatabaseTarget | null {
  if (/^(postgres|postgresql|sqlserver|mssql|oracle|sqlite|mongodb|mongodb\+srv|redis|rediss|file):/i.test(text)) {
    throw new RangeError(
      'names another kind of database: MySQL and MariaDB are supported, as mysql://user:password@host:port/database',
    );
  }
  const [, start = '', names = '', rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text) ?? [];
  const [first, ...others] = names.split(',').map(parseHost);
  if (!first || others.length >= MAX_HOSTS || others.includes(null)) return null;
  const hosts = [first, ...others] as DatabaseHost[];
  if (new Set(hosts.map(nameOf)).size < hosts.length) return null;
  return parseRest(`${start}host${rest}`, first, hosts.slice(1));
}

/** Such as `db1.example.com:3306`. */
export function nameOf({ host, port }: DatabaseHost): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function parseRest(text: string, first: DatabaseHost, others: readonly DatabaseHost[]): DatabaseTarget | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const ssl = url.searchParams.get('ssl');
  const parameters = [...url.searchParams.keys()];
  if (!/^(mysql|mariadb):$/.test(url.protocol) || url.hash !== '') return null;
  if (parameters.some((name) => name !== 'ssl') || (ssl !== null && ssl !== 'true' && ssl !== 'false')) return null;
  try {
    const database = decodeURIComponent(url.pathname.slice(1));
    if (database === '' || database.includes('/')) return null;
    return {
      ...first,
      others,
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database,
      tls: ssl === 'true',
    };
  } catch {
    return null;
  }
}

function parseHost(text: string): DatabaseHost | null {
  const url = `mysql://${text}/`;
  if (!URL.canParse(url)) return null;
  const { hostname, port } = new URL(url);
  if (hostname === '') return null;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? DEFAULT_PORT : Number(port) };
}
