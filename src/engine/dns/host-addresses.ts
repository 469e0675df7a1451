import { OneShotTimer } from './one-shot-timer.js';
import type { DnsFailure, QueryOptions, RecordType, Resolver } from './resolver.js';

export interface AddressRules {
  /** True if we may connect to the address. */
  readonly allowed: (ip: string) => boolean;
  /** Ask for IPv6 addresses even if there are IPv4 ones. */
  readonly alsoIpv6: boolean;
}

/**
 * - `addresses`: IPv4 first.
 * - `none`: definite; `refused` lists the host's addresses to which we may not connect.
 * - `failed`: a needed answer is missing.
 */
export type HostAddresses =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly ttlSeconds: number }
  | { readonly kind: 'none'; readonly refused: readonly string[]; readonly ttlSeconds: number }
  | { readonly kind: 'failed'; readonly why: DnsFailure; readonly blame: 'domain' | 'resolver' };

/** Most addresses kept per family; some hosts publish hundreds. */
const MAX_ADDRESSES = 8;
/** Longest wait for IPv6 addresses of a host with IPv4, milliseconds: some name servers answer no question about them. */
const IPV6_WAIT_MS = 500;

/**
 * Looks up the addresses of a host to which we may connect (decisions 6.2): IPv4, and IPv6 if no IPv4 address is usable
 * or `alsoIpv6` is set. Returns `none` only after definite answers to both questions.
 */
export async function findHostAddresses(
  resolver: Resolver,
  name: string,
  { allowed, alsoIpv6 }: AddressRules,
  options: QueryOptions,
): Promise<HostAddresses> {
  const askIpv6 = (): Promise<Half> => lookUp(resolver, name, 'AAAA', allowed, options);
  const early = alsoIpv6 ? askIpv6() : null;
  const ipv4 = await lookUp(resolver, name, 'A', allowed, options);
  const settled = ipv4.kind !== 'none' || ipv4.nameMissing === true;
  if (early === null) return settled ? ipv4 : merged(ipv4, await askIpv6());
  return merged(ipv4, await (ipv4.kind === 'addresses' ? soon(early) : early));
}

const LATE: HostAddresses = { kind: 'failed', why: 'timeout', blame: 'domain' };

async function soon(ipv6: Promise<Half>): Promise<Half> {
  const timer = new OneShotTimer();
  timer.startOnce(IPV6_WAIT_MS);
  try {
    return (await Promise.race([ipv6, timer.expired])) ?? LATE;
  } finally {
    timer.clear();
  }
}

type Half = HostAddresses & { readonly nameMissing?: boolean };

async function lookUp(
  resolver: Resolver,
  name: string,
  type: RecordType & ('A' | 'AAAA'),
  allowed: (ip: string) => boolean,
  options: QueryOptions,
): Promise<Half> {
  const answer = await resolver.query(name, type, options);
  if (answer.kind === 'failure') return { kind: 'failed', why: answer.why, blame: answer.blame };
  const { ttlSeconds } = answer;
  if (answer.kind !== 'records') {
    return { kind: 'none', refused: [], ttlSeconds, nameMissing: answer.kind === 'nxdomain' };
  }
  const all = answer.records.flatMap((data) => (data.type === type && 'address' in data ? [data.address] : []));
  const addresses = all.filter((ip) => allowed(ip)).slice(0, MAX_ADDRESSES);
  return addresses.length > 0
    ? { kind: 'addresses', addresses, ttlSeconds }
    : { kind: 'none', refused: all.slice(0, MAX_ADDRESSES), ttlSeconds };
}

function merged(ipv4: HostAddresses, ipv6: HostAddresses): HostAddresses {
  const ttlSeconds = Math.min(ttlOf(ipv4), ttlOf(ipv6));
  const addresses = [ipv4, ipv6].flatMap((half) => (half.kind === 'addresses' ? half.addresses : []));
  if (addresses.length > 0) return { kind: 'addresses', addresses, ttlSeconds };
  if (ipv4.kind === 'failed') return ipv4;
  if (ipv6.kind === 'failed') return ipv6;
  return {
    kind: 'none',
    refused: [ipv4, ipv6].flatMap((half) => (half.kind === 'none' ? half.refused : [])),
    ttlSeconds,
  };
}

function ttlOf(half: HostAddresses): number {
  return half.kind === 'failed' ? Number.POSITIVE_INFINITY : half.ttlSeconds;
}
