/** Credentials of a database, a Redis or a proxy: the password goes, the rest says which server is meant. */
const CREDENTIALS =
  /\b((?:mysql|mariadb|rediss?|postgres(?:ql)?|socks5h?)(?:\+[a-z]{1,12})?:\/\/[^\s:@/"'\\<>]{0,64}):[^\s"'\\<>]{0,256}@(?=[\w[])/;
/**
 * What looks like an address (quoted local parts and the credentials of other URLs included). `/` ends a local part: paths
 * such as `node_modules/@nestjs` stay readable. A local part is looked for where one can begin, so that a long line takes no
 * more than its length.
 */
const ADDRESS = /(?:\\"[^"\\]*\\"|(?<![^\s@"'\\<>,:;/()])[^\s@"'\\<>,:;/()]+)@[^\s@"'\\<>,;/()]+/;
/** In one pass: what stands for a password is not looked at again. */
const CREDENTIALS_OR_ADDRESS = new RegExp(`${CREDENTIALS.source}|${ADDRESS.source}`, 'g');
const API_KEY = /\b[a-z][a-z0-9]{0,15}_(live|test)_[0-9A-Za-z]{20,}/g;

/**
 * The last guard of the rule that neither keys nor addresses are logged: applied to every finished line. Lines are
 * written so that there is nothing to find; errors of libraries are not ours to write.
 */
export function scrub(line: string): string {
  let clean = line;
  if (clean.includes('@')) {
    clean = clean.replace(CREDENTIALS_OR_ADDRESS, (_, server: string | undefined) =>
      server === undefined ? '[address]' : `${server}:***@`,
    );
  }
  if (clean.includes('_live_') || clean.includes('_test_')) clean = clean.replace(API_KEY, '[key]');
  return clean;
}
