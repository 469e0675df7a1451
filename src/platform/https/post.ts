import type { PageRequest } from './page.js';

/** What to send, and the limits. */
export interface PostRequest extends Pick<PageRequest, 'host' | 'port' | 'path' | 'plain' | 'addresses' | 'deadline'> {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Octets of the answer that are read; the connection is cut after them. */
  readonly maxOctets: number;
}

/**
 * The outcome of a request.
 * - `answer`: the host was authenticated (unless `plain`) and answered, with any status. `body`: as much of it as came within
 * the limits.
 * - `refused`: we do not accept the certificate, or none of the addresses may be connected to.
 * - `failed`: there was no answer. `ours`: the cause is on our side.
 */
export type PostOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter: string | null; readonly body: string }
  | { readonly kind: 'refused'; readonly why: 'certificate' | 'address' }
  | { readonly kind: 'failed'; readonly why: string; readonly ours: boolean };
