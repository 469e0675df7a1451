/** URLs of databases, Redis and proxies. */
const SERVER_URL =
  /((?:mysql|mariadb|rediss?(?:\+sentinel|\+cluster)?|postgres(?:ql)?|socks5h?):\/\/[^\s"'\\<>]{1,512})/;
/**
 * Pieces of a line, of which those with an at sign look like an address (quoted local parts and credentials in other
 * URLs included). `/` ends a local part, so that paths such as `node_modules/@nestjs` stay readable. An escape of JSON
 * is a piece of its own: its letter is no part of what follows.
 */
const PIECES =
  /\\"[^"\\]*\\"@[^\s@"'\\<>,;/()]+|\\(?:u[\da-f]{4}|["\\/bfnrt])|[^\s@"'\\<>,:;/()]+(?:@[^\s@"'\\<>,;/()]+)?/g;
/** Pieces of a line, of which those with underscores are API keys. */
const PIECES_WITH_KEYS = /\\(?:u[\da-f]{4}|["\\/bfnrt])|[0-9A-Za-z]+(?:_(?:live|test)_[0-9A-Za-z]{20,})?/g;

/**
 * The last guard against keys and addresses in the log, applied to every finished line. Our own lines contain none;
 * errors of libraries may.
 */
export function scrub(line: string): string {
  let clean = line;
  if (clean.includes('@')) {
    clean = clean.includes('://') ? withoutCredentials(clean) : withoutAddresses(clean);
  }
  if (clean.includes('_live_') || clean.includes('_test_')) {
    clean = clean.replace(PIECES_WITH_KEYS, (piece) => (piece.includes('_') ? '[key]' : piece));
  }
  return clean;
}

function withoutAddresses(line: string): string {
  return line.replace(PIECES, (piece) => (piece.includes('@') ? '[address]' : piece));
}

function withoutCredentials(line: string): string {
  const parts = line.split(SERVER_URL);
  return parts.map((part, i) => (i % 2 === 1 ? withoutPassword(part) : withoutAddresses(part))).join('');
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
