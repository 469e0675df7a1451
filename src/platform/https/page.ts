/** What to fetch, and within which bounds. */
export interface PageRequest {
  /** The name the certificate has to be for; lowercase, A-labels. */
  readonly host: string;
  /** Begins with `/`. */
  readonly path: string;
  /** In place of the usual one. */
  readonly port?: number;
  /** Without TLS: nobody proves who answers. Only for what an operator named so. */
  readonly plain?: boolean;
  /** What kind of content is wanted; plain text by default. */
  readonly accept?: string;
  /** The `etag` of what we have: status 304 when there is nothing newer. */
  readonly ifNoneMatch?: string | null;
  /** Where the host is, in the order to try. Those that may not be connected to are passed over. */
  readonly addresses: readonly string[];
  /** Of the body. */
  readonly maxOctets: number;
  /** For all of it. */
  readonly timeoutMs: number;
  /** Cuts it short. */
  readonly signal: AbortSignal;
}

/**
 * What came of a request for a page.
 * - `page`: the host proved who it is (unless asked `plain`) and answered. The body is read for status 200 alone, and null for others; redirects
 *   are answers like any other.
 * - `refused`: we do not want what there is: `certificate`: it is not valid for the host; `address`: none of its addresses may
 *   be connected to; `size`: the page is larger than asked for.
 * - `failed`: nothing can be said. `ours`: for a reason on our side.
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
