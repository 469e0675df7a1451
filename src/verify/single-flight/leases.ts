import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { FlightDepth } from './flight.js';

/** Times are milliseconds of the book's clock. */
export interface Look {
  readonly at: number;
  /** When the lease that was seen ends unless it is renewed; in the past: there was none. */
  readonly until: number;
}

export interface TakeRequest {
  /** Address hash. */
  readonly hash: string;
  /** Names who asks. A token that holds the lease already gets it again: the answer to an earlier request was lost. */
  readonly token: string;
  /** The look before this one of who waits; null: nobody was waited for yet. */
  readonly last: Look | null;
}

export interface TakeAnswer extends Look {
  /** True: the lease is held now, under this token. */
  readonly taken: boolean;
  /** The deepest landing with a stored result since the last look; without one, of the last seconds. */
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
  /**
   * Takes a lease that is free. One who waited does not take a lease that is gone before its time with nobody landed: the
   * book was emptied, and a holder that lives will be back in it.
   */
  take(request: TakeRequest): Promise<TakeAnswer>;
  /**
   * Prolongs the lease, or takes it (again) when nobody holds it, and notes how far its holder has come; leaves another's
   * alone.
   */
  renew(hash: string, token: string, stage: SmtpStage | null): Promise<void>;
  /** How far the holder had come when it last renewed; null: it had asked nobody, or there is none. */
  stageOf(hash: string): Promise<SmtpStage | null>;
  /**
   * Frees the lease if it is still this token's, remembers a stored result either way, and tells whoever waits. Answers the
   * look that those who waited for this holder go on from.
   */
  land(landing: Landing): Promise<Look>;
}
