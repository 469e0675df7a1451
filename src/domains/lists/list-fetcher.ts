import type { Deadline } from '../../engine/deadline.js';
import { findHostAddresses } from '../../engine/dns/host-addresses.js';
import { parseIpv4, parseIpv6 } from '../../engine/dns/ip-address.js';
import type { Resolver } from '../../engine/dns/resolver.js';
import type { Clearance } from '../../platform/egress/clearance.js';
import type { HttpsClient } from '../../platform/https/https-client.js';
import type { PageOutcome } from '../../platform/https/read-page.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';

/** Why a fetch failed: the label of the metric. */
export const FETCH_FAULTS = [
  'unreachable',
  'forbidden_address',
  'certificate',
  'redirect',
  'status',
  'too_large',
] as const;
export type FetchFault = (typeof FETCH_FAULTS)[number];

export type FetchedList =
  | { readonly kind: 'list'; readonly text: string; readonly etag: string | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly why: FetchFault; readonly said: string };

export interface FetchLimits {
  readonly octets: number;
  /** Timeout of a whole fetch. */
  readonly timeoutMs: number;
}

/** Four times the largest published list. */
const LIMITS: FetchLimits = { octets: 8 * 1024 * 1024, timeoutMs: 30_000 };

/** Fetches lists from the operator's URLs, under the rules of all outgoing requests (decisions 6.2). */
export class ListFetcher {
  private readonly limits: FetchLimits;

  constructor(
    private readonly resolver: Resolver,
    private readonly https: HttpsClient,
    private readonly allowed: Clearance,
    limits: Partial<FetchLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** Never rejects because of a server or the network. @param etag of the list in force */
  fetch(url: URL, etag: string | null, signal: AbortSignal): Promise<FetchedList> {
    return withDeadline(this.limits.timeoutMs, signal, async (deadline) => {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const addresses = await this.find(host, deadline);
      if ('kind' in addresses) return addresses;
      const plain = url.protocol === 'http:';
      const outcome = await this.https.get({
        host,
        addresses,
        plain,
        port: url.port === '' ? (plain ? 80 : 443) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        accept: 'text/plain, application/json;q=0.9, */*;q=0.1',
        ifNoneMatch: etag,
        maxOctets: this.limits.octets,
        deadline,
      });
      return this.read(outcome);
    });
  }

  private async find(host: string, deadline: Deadline): Promise<readonly string[] | FetchedList> {
    if (parseIpv4(host) !== null || parseIpv6(host) !== null) return [host];
    const { resolver, allowed } = this;
    const found = await findHostAddresses(resolver, host, { allowed, alsoIpv6: false }, { deadline });
    if (found.kind === 'addresses') return found.addresses;
    if (found.kind === 'none' && found.refused.length > 0) return FORBIDDEN_ADDRESS;
    return failed(
      'unreachable',
      found.kind === 'none' ? 'its host has no address' : 'the DNS does not say where it is',
    );
  }

  private read(outcome: PageOutcome): FetchedList {
    const { octets } = this.limits;
    if (outcome.kind === 'failed') return failed('unreachable', outcome.why);
    if (outcome.kind === 'refused') {
      if (outcome.why === 'certificate') return failed('certificate', 'its certificate is not valid for its host');
      return outcome.why === 'size' ? failed('too_large', `it is larger than ${octets} octets`) : FORBIDDEN_ADDRESS;
    }
    const { status, body, etag } = outcome;
    if (status === 304) return { kind: 'unchanged' };
    if (status >= 300 && status < 400)
      return failed('redirect', `it answers with a redirect (${status}): name the URL that it leads to`);
    return body === null ? failed('status', `it answers with status ${status}`) : { kind: 'list', text: body, etag };
  }
}

const FORBIDDEN_ADDRESS = failed('forbidden_address', 'its host has no public address');

function failed(why: FetchFault, said: string): FetchedList & { kind: 'failed' } {
  return { kind: 'failed', why, said };
}
