/** A MySQL or MariaDB database. Holds a password. */
export interface DatabaseTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Encrypted, with the server's certificate verified. */
  readonly tls: boolean;
}

/**
 * Parses `mysql://user:password@host:port/database` (percent-encoded where needed), with `?ssl=true` for TLS.
 * @returns null when it is not of that form; never echoes the text
 * @throws RangeError when the scheme names another database
 */
export function parseDatabaseUrl(text: string): DatabaseTarget | null {
  if (/^(postgres|postgresql|sqlserver|mssql|oracle|sqlite|mongodb|mongodb\+srv|redis|rediss|file):/i.test(text)) {
    throw new RangeError(
      'names another kind of database: MySQL and MariaDB are supported, as mysql://user:password@host:port/database',
    );
  }
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const ssl = url.searchParams.get('ssl');
  const parameters = [...url.searchParams.keys()];
  if (!/^(mysql|mariadb):$/.test(url.protocol) || url.hostname === '' || url.hash !== '') return null;
  if (parameters.some((name) => name !== 'ssl') || (ssl !== null && ssl !== 'true' && ssl !== 'false')) return null;
  try {
    const database = decodeURIComponent(url.pathname.slice(1));
    if (database === '' || database.includes('/')) return null;
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? 3306 : Number(url.port),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database,
      tls: ssl === 'true',
    };
  } catch {
    return null;
  }
}
