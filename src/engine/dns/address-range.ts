import { formatIpv6, parseIpv4, parseIpv6 } from './ip-address.js';

/** A block of addresses (RFC 4632, RFC 4291 2.3). */
export interface AddressRange {
  /** First and last address as 128-bit numbers (`addressNumber`). */
  readonly first: bigint;
  readonly last: bigint;
  /** Canonical CIDR notation without bits behind the prefix: `192.0.2.0/24`, `2001:db8::/32`. */
  readonly text: string;
  readonly family: 4 | 6;
  /** Prefix length as written: 0-32 or 0-128. */
  readonly prefix: number;
}

/**
 * Offset of the IPv4-mapped addresses (RFC 4291 2.5.5.2): IPv4 addresses get the number of their mapped form, so that
 * both spellings are equal.
 */
const MAPPED = 0xffff_0000_0000n;
const MAPPED_BITS = 96;

/** An address as a 128-bit number; null if the text is no address. */
export function addressNumber(ip: string): bigint | null {
  if (!ip.includes(':')) {
    const ipv4 = parseIpv4(ip);
    return ipv4 === null ? null : MAPPED | BigInt(ipv4);
  }
  const groups = parseIpv6(ip);
  return groups === null ? null : groups.reduce((number, group) => (number << 16n) | BigInt(group), 0n);
}

/**
 * Parses CIDR notation; an address without a prefix is a range of one. Clears bits behind the prefix and turns mapped
 * IPv4 into IPv4. Null for anything else.
 */
export function parseAddressRange(text: string): AddressRange | null {
  const [ip = '', prefixText, more] = text.split('/');
  const number = addressNumber(ip);
  if (number === null || more !== undefined) return null;
  const written = ip.includes(':') ? 128 : 32;
  if (prefixText !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(prefixText)) return null;
  const prefix = prefixText === undefined ? written : Number(prefixText);
  if (prefix > written) return null;
  return rangeOf(number, prefix + 128 - written);
}

/** @param bits prefix length, out of 128 */
function rangeOf(number: bigint, bits: number): AddressRange {
  const hostMask = (1n << BigInt(128 - bits)) - 1n;
  const first = number & ~hostMask;
  const last = first | hostMask;
  if (bits >= MAPPED_BITS && first >> 32n === MAPPED >> 32n) {
    const prefix = bits - MAPPED_BITS;
    return { first, last, text: `${ipv4Text(Number(first & 0xffff_ffffn))}/${prefix}`, family: 4, prefix };
  }
  const groups = Array.from({ length: 8 }, (_, index) => Number((first >> BigInt(112 - 16 * index)) & 0xffffn));
  return { first, last, text: `${formatIpv6(groups)}/${bits}`, family: 6, prefix: bits };
}

function ipv4Text(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join('.');
}

/** A set of ranges. A look-up takes about a microsecond, next to nothing if the set is empty. */
export class AddressRanges {
  /** Disjoint and sorted. */
  private readonly ranges: readonly Pick<AddressRange, 'first' | 'last'>[];

  constructor(ranges: readonly AddressRange[]) {
    const disjoint: AddressRange[] = [];
    // Two CIDR blocks are disjoint or nested: sorting puts a nested one right behind its parent.
    for (const range of ranges.toSorted(byFirstThenWidest)) {
      const before = disjoint.at(-1);
      if (before === undefined || range.last > before.last) disjoint.push(range);
    }
    this.ranges = disjoint;
  }

  /** True if a range contains the address. */
  has(ip: string): boolean {
    if (this.ranges.length === 0) return false;
    const number = addressNumber(ip);
    if (number === null) return false;
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ranges[middle]?.first ?? 0n) <= number) low = middle + 1;
      else high = middle;
    }
    return (this.ranges[low - 1]?.last ?? -1n) >= number;
  }
}

function byFirstThenWidest(one: AddressRange, other: AddressRange): number {
  if (one.first !== other.first) return one.first < other.first ? -1 : 1;
  if (one.last === other.last) return 0;
  return one.last > other.last ? -1 : 1;
}
