/**
 * IP addresses as numbers. Stricter than the operating system's parsers on purpose: `0177.0.0.1`, `127.1` and `0x7f.1`
 * are loopback to some of them and no address here.
 */

/** A dotted-quad address as an unsigned 32-bit number, or null. No leading zeros. */
export function parseIpv4(text: string): number | null {
  let value = 0;
  let octet = -1;
  let octets = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : DOT;
    if (code === DOT) {
      if (octet < 0 || octets === 4) return null;
      value = value * 256 + octet;
      octets += 1;
      octet = -1;
    } else if (code >= DIGIT_0 && code <= DIGIT_9) {
      if (octet === 0) return null;
      octet = (octet < 0 ? 0 : octet * 10) + (code - DIGIT_0);
      if (octet > 255) return null;
    } else {
      return null;
    }
  }
  return octets === 4 ? value : null;
}

/** The eight groups of an IPv6 address in any spelling of RFC 4291 2.2, or null. Refuses a zone (`%eth0`). */
export function parseIpv6(text: string): number[] | null {
  if (text.length < 2 || text.length > 45) return null;
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [headText = '', tailText] = halves;
  const head = parseGroups(headText, tailText === undefined);
  if (tailText === undefined) return head?.length === 8 ? head : null;
  const tail = parseGroups(tailText, true);
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  // `::` stands for at least one group (RFC 4291 2.2).
  return missing >= 1 ? [...head, ...Array<number>(missing).fill(0), ...tail] : null;
}

/** Formats as RFC 5952: lowercase, no leading zeros, the longest run of at least two zero groups as `::`. */
export function formatIpv6(groups: readonly number[]): string {
  const run = longestZeroRun(groups);
  if (run.length < 2) return hexGroups(groups);
  return `${hexGroups(groups.slice(0, run.start))}::${hexGroups(groups.slice(run.start + run.length))}`;
}

const DOT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const HEX_GROUP = /^[0-9a-f]{1,4}$/i;

function parseGroups(text: string, mayEndInIpv4: boolean): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (HEX_GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const embedded = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : null;
    if (embedded === null) return null;
    groups.push(Math.floor(embedded / 65_536), embedded % 65_536);
  }
  return groups.length <= 8 ? groups : null;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let index = 0; index <= groups.length; index += 1) {
    if (groups[index] === 0) continue;
    if (index - start > best.length) best = { start, length: index - start };
    start = index + 1;
  }
  return best;
}

function hexGroups(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
