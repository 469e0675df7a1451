import type { HttpsOutcome } from '../../platform/https/http-exchange.js';
import type { HttpsClient } from '../../platform/https/https-client.js';
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
const ACCEPT = 'text/plain, application/json;q=0.9, */*;q=0.1';
/** An entity tag (RFC 9110 8.8.3); a longer one is not stored. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7E]{0,250}"$/;

type Refusal = (HttpsOutcome & { readonly kind: 'refused' })['why'];

/** Fetches lists from the operator's URLs, under the rules of all outgoing requests (decisions 6.2). */
export class ListFetcher {
  private readonly limits: FetchLimits;

  constructor(
    private readonly https: HttpsClient,
    limits: Partial<FetchLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** Never rejects because of a server or the network. @param etag of the list in force */
  fetch(url: URL, etag: string | null, signal: AbortSignal): Promise<FetchedList> {
    return withDeadline(this.limits.timeoutMs, signal, async (deadline) => {
      const plain = url.protocol === 'http:';
      const outcome = await this.https.ask({
        host: url.hostname.replace(/^\[|\]$/g, ''),
        plain,
        port: url.port === '' ? (plain ? 80 : 443) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        headers: { accept: ACCEPT, ...(etag !== null && { 'if-none-match': etag }) },
        maxOctets: this.limits.octets,
        deadline,
      });
      return this.read(outcome);
    });
  }

  private read(outcome: HttpsOutcome): FetchedList {
    if (outcome.kind === 'failed') return failed('unreachable', outcome.why);
    if (outcome.kind === 'refused') return refused(outcome.why, this.limits.octets);
    const { status, body, headers } = outcome;
    if (status === 304) return { kind: 'unchanged' };
    if (status >= 300 && status < 400)
      return failed('redirect', `it answers with a redirect (${status}): name the URL that it leads to`);
    if (body === null) return failed('status', `it answers with status ${status}`);
    return { kind: 'list', text: body, etag: ENTITY_TAG.exec(headers.etag ?? '')?.[0] ?? null };
  }
}

function refused(why: Refusal, maxOctets: number): FetchedList {
  const faults: Readonly<Record<Refusal, readonly [FetchFault, string]>> = {
    address: ['forbidden_address', 'its host has no public address'],
    no_address: ['unreachable', 'its host has no address'],
    certificate: ['certificate', 'its certificate is not valid for its host'],
    size: ['too_large', `it is larger than ${maxOctets} octets`],
  };
  return failed(...faults[why]);
}

function failed(why: FetchFault, said: string): FetchedList & { kind: 'failed' } {
  return { kind: 'failed', why, said };
}
