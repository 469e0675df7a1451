import type { StoredAnswer } from '../idempotency/idempotency.repository.js';
import type { WaitingPart } from '../pending-charges/waiting-part.js';
import type { Price } from '../price.js';

/** The answer to send, and to store for repeats of an `Idempotency-Key`. */
export interface JsonResponse {
  /** A success status. */
  readonly status: number;
  /** JSON. */
  readonly body: unknown;
  /** Headers of the answer and of every repeat. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A metered handler returns a result and its price. The interceptor charges for it before sending it. */
export interface MeteredResponse extends JsonResponse {
  /** Final price: entries that could not be completed cost nothing. */
  readonly price: Price;
  /** Parts of the price that wait on deferred probes. */
  readonly waiting?: readonly WaitingPart[];
  /** A probe has begun: charge the call even if the client disconnects. */
  readonly probed?: boolean;
  /** How to shorten the response if the balance is too low; without it the call is refused. */
  readonly shorten?: {
    /** Credits of each entry, 0 if free; they add up to the price. */
    readonly unitPrices: readonly number[];
    /** The same response with only the first entries. Its own `shorten` is not used. */
    to(entries: number): MeteredResponse;
  };
  /**
   * Deadline of the charge on the monotonic clock (`performance.now()`). A later charge is refused; one that commits
   * anyway is refunded, unless the response is stored for repeats. Without it there is no deadline.
   */
  readonly payBy?: number;
  /**
   * Called once after the charge, before the answer is sent, on the response that was charged or tried last. After a
   * charge, its promise is awaited. Must not throw.
   * @param paid true if paid or free; false if the answer is not sent or the client has disconnected; null if it is not
   *   sent, and a charge under way may yet commit with it, for repeats of the call's `Idempotency-Key`
   * @param error why it is not sent; undefined if it is, or the client has disconnected
   */
  readonly after?: (paid: boolean | null, error?: unknown) => void | Promise<unknown>;
}

/** The response as stored for repeats. @param text the body sent */
export function toStoredAnswer({ status, headers = {} }: JsonResponse, text: string): StoredAnswer {
  const own = Object.keys(headers).length > 0 ? headers : null;
  return { status, headers: own, body: Buffer.from(text) };
}
