import type { FlightDepth } from './flight.js';

export interface TakeRequest {
  /** Address hash. */
  readonly hash: string;
  /** Names who asks. A token that holds the lease already gets it again: the answer to an earlier request was lost. */
  readonly token: string;
  readonly depth: FlightDepth;
  /** `at` of the answer before this one while waiting; null when nobody was waited for yet. */
  readonly since: number | null;
}

export interface TakeAnswer {
  /** True: the lease is held now, under this token. */
  readonly taken: boolean;
  /** Milliseconds of the book's clock. */
  readonly at: number;
  /** The deepest landing with a stored result since `since`; with `since` null, of the last seconds. */
  readonly landed: FlightDepth | null;
}

/** A holder that ends. */
export interface Landing {
  readonly hash: string;
  readonly token: string;
  readonly depth: FlightDepth;
  readonly stored: boolean;
}

/** The book of who checks which address. Its promises may reject where it is kept elsewhere. */
export interface Leases {
  /** Takes a lease that is free, unless a landing since `since` answers the request. */
  take(request: TakeRequest): Promise<TakeAnswer>;
  /** Prolongs the lease, or takes it (again) when nobody holds it; leaves another's alone. */
  renew(hash: string, token: string): Promise<void>;
  /** Frees the lease if it is still this token's, remembers a stored result either way, and tells whoever waits. */
  land(landing: Landing): Promise<void>;
}
