/**
 * What looks like an address (quoted local parts and the credentials of a URL included) or like an API key. `/` ends a
 * local part: paths such as `node_modules/@nestjs` stay readable. A local part is looked for where one can begin, so that a
 * long line takes no more than its length.
 */
const ADDRESS = /(?:\\"[^"\\]*\\"|(?<![^\s@"'\\<>,:;/()])[^\s@"'\\<>,:;/()]+)@[^\s@"'\\<>,;/()]+/g;
const API_KEY = /\b[a-z][a-z0-9]{0,15}_(live|test)_[0-9A-Za-z]{20,}/g;

/**
 * The last guard of the rule that neither keys nor addresses are logged: applied to every finished line. Lines are
 * written so that there is nothing to find; errors of libraries are not ours to write.
 */
export function scrub(line: string): string {
  let clean = line;
  if (clean.includes('@')) clean = clean.replace(ADDRESS, '[address]');
  if (clean.includes('_live_') || clean.includes('_test_')) clean = clean.replace(API_KEY, '[key]');
  return clean;
}
