import type { DnsFailure, QueryOptions, RecordType, Resolver } from './resolver.js';

export interface AddressRules {
  /** Which addresses may be connected to. */
  readonly allowed: (ip: string) => boolean;
  /** Ask for IPv6 addresses also where IPv4 ones were found. */
  readonly alsoIpv6: boolean;
}

/**
 * - `addresses`: IPv4 first.
 * - `none`: definite; `refused` are addresses the host has but that may not be connected to.
 * - `failed`: an answer that was needed is missing.
 */
export type HostAddresses =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly ttlSeconds: number }
  | { readonly kind: 'none'; readonly refused: readonly string[]; readonly ttlSeconds: number }
  | { readonly kind: 'failed'; readonly why: DnsFailure; readonly blame: 'domain' | 'resolver' };

/** More addresses of one kind are never needed; some hosts publish hundreds. */
const MAX_ADDRESSES = 8;

/**
 * Looks up where a host may be connected to (decisions 6.2): IPv4; IPv6 where it has no IPv4 address that may be used, or
 * where `alsoIpv6` says so. That no address exists is concluded from definite answers to both questions alone.
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
  if (early === null && settled) return ipv4;
  return merged(ipv4, await (early ?? askIpv6()));
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
