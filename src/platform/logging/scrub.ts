/** URLs of databases, Redis and proxies. */
const SERVER_URL =
  /(\b(?:mysql|mariadb|rediss?(?:\+sentinel|\+cluster)?|postgres(?:ql)?|socks5h?):\/\/[^\s"'\\<>]{1,512})/;
/**
 * Text that looks like an address (quoted local parts and credentials in other URLs included). `/` ends a local part,
 * so that paths such as `node_modules/@nestjs` stay readable. The search starts only where a local part can begin, so
 * that it takes linear time.
 */
const ADDRESS = /(?:\\"[^"\\]*\\"|(?<![^\s@"'\\<>,:;/()])[^\s@"'\\<>,:;/()]+)@[^\s@"'\\<>,;/()]+/g;
const API_KEY = /\b[a-z][a-z0-9]{0,15}_(live|test)_[0-9A-Za-z]{20,}/g;

/**
 * The last guard against keys and addresses in the log, applied to every finished line. Our own lines contain none;
 * errors of libraries may.
 */
export function scrub(line: string): string {
  let clean = line;
  if (clean.includes('@')) {
    clean = clean.includes('://') ? withoutCredentials(clean) : clean.replace(ADDRESS, '[address]');
  }
  if (clean.includes('_live_') || clean.includes('_test_')) clean = clean.replace(API_KEY, '[key]');
  return clean;
}

function withoutCredentials(line: string): string {
  const parts = line.split(SERVER_URL);
  return parts.map((part, i) => (i % 2 === 1 ? withoutPassword(part) : part.replace(ADDRESS, '[address]'))).join('');
}

/** `mysql://user:***@host/db`: the server stays readable. */
function withoutPassword(url: string): string {
  const at = url.lastIndexOf('@');
  if (at === -1) return url;
  const start = url.indexOf('://') + 3;
  const [user = '', password] = url.slice(start, at).split(':', 2);
  // A name alone may be the local part of an address.
  return password === undefined
    ? `${url.slice(0, start)}[address]`
    : `${url.slice(0, start)}${user}:***${url.slice(at)}`;
}
