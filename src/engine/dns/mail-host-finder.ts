import type { Trace } from '../trace.js';
import { findHostAddresses, type AddressRules, type HostAddresses } from './host-addresses.js';
import { canBeHost, isLocalhost, orderExchanges, type MailExchange } from './mail-exchanges.js';
import type { MailHost, MailHostsFinding } from './mail-hosts.js';
import { isPublicAddress } from './public-address.js';
import { OneShotTimer } from './one-shot-timer.js';
import type { DnsFailure, QueryOptions, Resolver } from './resolver.js';

export interface MailHostFinderOptions {
  /** Labs only: also use addresses that are not public (decisions 6.2). */
  readonly allowPrivateNetworks: boolean;
  /** An egress has an IPv6 identity: look up IPv6 addresses of every host. They still come after IPv4. */
  readonly preferIpv6?: boolean;
  /** Shuffles mail hosts of equal preference. */
  readonly random?: () => number;
}

export type MailHostLookupOptions = Pick<QueryOptions, 'deadline' | 'requester' | 'trace'>;

/** Decisions 6.2. */
const MAX_HOSTS = 5;
/** Most targets looked up for a domain whose MX records lead nowhere. */
const MAX_TARGETS = 30;
/**
 * How long to wait for further mail hosts once one is known, milliseconds. A host with slow name servers must not delay
 * the probe of a better one; hosts before the best known one are always waited for.
 */
const STRAGGLERS_MS = 500;
/** Cancels look-ups that still run at the end. Created once, because a stack trace costs more than the rest. */
const NOT_NEEDED = new Error('the mail hosts are known');

/** Finds the mail hosts of a domain (RFC 5321 5.1, RFC 7505), with the addresses to which we may connect. */
export class MailHostFinder {
  private readonly addressRules: AddressRules;
  private readonly allowPrivateNetworks: boolean;
  private readonly random: () => number;

  constructor(
    private readonly resolver: Resolver,
    { allowPrivateNetworks, preferIpv6 = false, random = Math.random }: MailHostFinderOptions,
  ) {
    this.allowPrivateNetworks = allowPrivateNetworks;
    this.addressRules = { allowed: allowPrivateNetworks ? () => true : isPublicAddress, alsoIpv6: preferIpv6 };
    this.random = random;
  }

  /**
   * `domain` is in A-label form. At the deadline returns the hosts known so far, or a failure. Never throws for
   * anything the DNS says. @throws RangeError for a domain that cannot be asked for
   */
  async findMailHosts(domain: string, options: MailHostLookupOptions): Promise<MailHostsFinding> {
    const mx = await this.resolver.query(domain, 'MX', options);
    switch (mx.kind) {
      case 'nxdomain':
        return { kind: 'none', why: 'nxdomain', ttlSeconds: mx.ttlSeconds };
      case 'failure':
        // Never fall back to address records: the MX records may well exist (RFC 5321 5.1).
        return missing('its MX records', mx);
      case 'nodata':
        return this.findImplicit(domain, mx.ttlSeconds, options);
      default: {
        const exchanges = orderExchanges(mx.records, this.random);
        if (exchanges.length > 0) return this.findExplicit(exchanges, mx.ttlSeconds, options);
        note(options.trace, 'null MX: the domain takes no mail');
        return { kind: 'none', why: 'null_mx', ttlSeconds: mx.ttlSeconds };
      }
    }
  }

  /** Without MX records the domain itself is its mail host (RFC 5321 5.1). */
  private async findImplicit(domain: string, mxTtl: number, options: MailHostLookupOptions): Promise<MailHostsFinding> {
    note(options.trace, 'no MX records: the domain itself counts as its mail host');
    const found = await findHostAddresses(this.resolver, domain, this.addressRules, options);
    if (found.kind === 'failed') return missing('its address', found);
    const ttlSeconds = Math.min(mxTtl, found.ttlSeconds);
    if (found.kind === 'none') {
      noteRefused(options.trace, domain, found);
      return { kind: 'none', why: found.refused.length > 0 ? 'no_public_address' : 'no_records', ttlSeconds };
    }
    const host: MailHost = { name: domain, preference: 0, addresses: found.addresses };
    return { kind: 'found', hosts: [host], exchanges: [domain], primary: domain, ttlSeconds };
  }

  private async findExplicit(
    exchanges: readonly MailExchange[],
    mxTtl: number,
    options: MailHostLookupOptions,
  ): Promise<MailHostsFinding> {
    const targets = exchanges.filter(({ name }) => this.mayBeHost(name, options.trace)).slice(0, MAX_TARGETS);
    const { hosts, failure, ttlSeconds } = await this.resolveHosts(targets, options);
    const [best] = hosts;
    if (best !== undefined) {
      return {
        kind: 'found',
        hosts,
        exchanges: exchanges.map(({ name }) => name),
        primary: primaryOf(hosts, best.preference),
        ttlSeconds: Math.min(mxTtl, ttlSeconds),
      };
    }
    if (failure !== null) return missing('the addresses of its mail hosts', failure);
    if (targets.length === MAX_TARGETS) return { kind: 'broken', why: 'too many mail hosts without an address' };
    return { kind: 'none', why: 'no_public_address', ttlSeconds: Math.min(mxTtl, ttlSeconds) };
  }

  private mayBeHost(name: string, trace: Trace | undefined): boolean {
    if (!canBeHost(name)) {
      note(trace, `${name} is left out: not a host name`);
      return false;
    }
    if (this.allowPrivateNetworks || !isLocalhost(name)) return true;
    note(trace, `${name} is left out: this machine itself`);
    return false;
  }

  /** The first `MAX_HOSTS` usable targets in order, looked up in parallel. */
  private async resolveHosts(
    targets: readonly MailExchange[],
    { deadline, requester, trace }: MailHostLookupOptions,
  ): Promise<Resolved> {
    const lookUps = deadline.part();
    const stragglers = new OneShotTimer();
    let over = false;
    // Do not trace look-ups that are cancelled because nobody needs them any more.
    const tell: Trace | undefined = trace && ((event) => (over ? undefined : trace(event)));
    const under: Promise<HostAddresses>[] = [];
    const hosts: MailHost[] = [];
    let failure: Resolved['failure'] = null;
    let ttlSeconds = Number.POSITIVE_INFINITY;
    try {
      for (const [index, { name, preference }] of targets.entries()) {
        // Keep no more look-ups in flight than can still be used.
        for (const next of targets.slice(under.length, index + MAX_HOSTS - hosts.length)) {
          const asking = { deadline: lookUps, requester, trace: tell };
          under.push(findHostAddresses(this.resolver, next.name, this.addressRules, asking));
        }
        const found = await Promise.race([under[index]!, stragglers.expired]);
        if (found === null) {
          note(trace, `${name} is left out: its address is slow to come`);
          continue;
        }
        if (found.kind === 'failed') {
          if (failure === null || found.blame === 'resolver') failure = found;
          continue;
        }
        ttlSeconds = Math.min(ttlSeconds, found.ttlSeconds);
        if (found.kind === 'none') {
          noteRefused(trace, name, found);
          continue;
        }
        hosts.push({ name, preference, addresses: found.addresses });
        if (hosts.length === MAX_HOSTS) break;
        if (index + 1 < targets.length) stragglers.startOnce(STRAGGLERS_MS);
      }
      return { hosts, failure, ttlSeconds };
    } finally {
      over = true;
      stragglers.clear();
      lookUps.cancel(NOT_NEEDED);
    }
  }
}

interface Resolved {
  readonly hosts: readonly MailHost[];
  readonly failure: { readonly why: DnsFailure; readonly blame: 'domain' | 'resolver' } | null;
  readonly ttlSeconds: number;
}

function missing(
  what: string,
  { why, blame }: { why: DnsFailure; blame: 'domain' | 'resolver' },
): MailHostsFinding & { kind: 'broken' | 'unavailable' } {
  return { kind: blame === 'domain' ? 'broken' : 'unavailable', why: `${what} could not be looked up: ${why}` };
}

/** Ties are tried in random order but named in a fixed one, so that a domain always gets the same `mx_record`. */
function primaryOf(hosts: readonly MailHost[], preference: number): string {
  const names = hosts.filter((host) => host.preference === preference).map(({ name }) => name);
  return names.reduce((first, name) => (name < first ? name : first));
}

function note(trace: Trace | undefined, text: string): void {
  trace?.({ kind: 'note', text });
}

function noteRefused(trace: Trace | undefined, name: string, { refused }: HostAddresses & { kind: 'none' }): void {
  const why = refused.length > 0 ? `may not be connected to: ${refused.join(', ')}` : 'has no address';
  note(trace, `${name} ${why}`);
}
