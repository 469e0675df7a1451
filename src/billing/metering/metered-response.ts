import type { StoredAnswer } from '../idempotency/idempotency.repository.js';
import type { WaitingPart } from '../pending-charges/waiting-part.js';
import type { Price } from '../price.js';

/** What is sent, and kept for repeats of an `Idempotency-Key`. */
export interface JsonResponse {
  /** Of a success. */
  readonly status: number;
  /** JSON. */
  readonly body: unknown;
  /** Headers that belong to the answer, and to every repeat of it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a metered handler returns: what it found, and what that costs. The interceptor charges for it before it is sent. */
export interface MeteredResponse extends JsonResponse {
  /** What it costs in the end: nothing for what could not be completed. */
  readonly price: Price;
  /** Parts of the price that wait on deferred probes. */
  readonly waiting?: readonly WaitingPart[];
  /** A probe of the call has begun: the call is charged even when its caller has hung up meanwhile. */
  readonly probed?: boolean;
  /** How to make it shorter when the balance turns out to be too low; without it such a call is refused. */
  readonly shorten?: {
    /** Credits of each entry, 0 for one that is free: they add up to the price. */
    readonly unitPrices: readonly number[];
    /** The same response with so many entries from the start. Its own `shorten` is not used. */
    to(entries: number): MeteredResponse;
  };
  /**
   * Moment on the monotonic clock (`performance.now()`) by which it is to be paid: later it is refused, and a charge that is
   * made all the same is refunded, unless the response is kept to be fetched. Without it the charge takes as long as it takes.
   */
  readonly payBy?: number;
  /**
   * Called once after the charge, before the answer is sent, on the response that was charged or tried last. What it promises
   * after a charge is waited for. Must not throw.
   * @param paid true when it is paid or free, false when it is not sent or nobody reads it
   * @param error why it is not sent; undefined when it is, or nobody reads it
   */
  readonly after?: (paid: boolean, error?: unknown) => void | Promise<void>;
}

/** A response as it is kept for repeats. @param text what is sent */
export function toStoredAnswer({ status, headers = {} }: JsonResponse, text: string): StoredAnswer {
  const own = Object.keys(headers).length > 0 ? headers : null;
  return { status, headers: own, body: Buffer.from(text) };
}
