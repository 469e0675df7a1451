import type { Deadline } from '../../engine/deadline.js';

/** What to fetch, and the limits. */
export interface PageRequest {
  /** The name that the certificate must have; lowercase A-labels. */
  readonly host: string;
  /** Starts with `/`. */
  readonly path: string;
  /** Overrides the usual port. */
  readonly port?: number;
  /** Without TLS, so the server is not authenticated. Only for hosts that an operator configured. */
  readonly plain?: boolean;
  /** Accepted media type; plain text by default. */
  readonly accept?: string;
  /** The known `etag`; the answer is 304 if the page has not changed. */
  readonly ifNoneMatch?: string | null;
  /** Addresses of the host, in the order to try. Skips those that may not be connected to. */
  readonly addresses: readonly string[];
  /** Maximum size of the body, octets. */
  readonly maxOctets: number;
  /** Ends the request. */
  readonly deadline: Deadline;
}

/**
 * The outcome of a request.
 * - `page`: the host was authenticated (unless `plain`) and answered. Only the body of a 200 is read, else it is null;
 * redirects are ordinary answers.
 * - `refused`: we do not accept it: `certificate`: not valid for the host; `address`: none of its addresses may be
 * connected to; `size`: the page exceeds the limit.
 * - `failed`: no conclusion. `ours`: the cause is on our side.
 */
export type PageOutcome =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly contentType: string | null;
      readonly etag: string | null;
      readonly body: string | null;
    }
  | { readonly kind: 'refused'; readonly why: 'certificate' | 'address' | 'size' }
  | { readonly kind: 'failed'; readonly why: string; readonly ours: boolean };
