import type { ServerResponse } from 'node:http';
import { mayTakePlace } from '../../../engine/fair-share.js';
import { AppError } from '../../errors/app-error.js';

const RETRY_AFTER_SECONDS = 2;

/** The account that a response is counted for. With a map of responses the slowest free calls took up to twice as long. */
const ACCOUNT = Symbol('account');
type CountedResponse = ServerResponse & { [ACCOUNT]?: string };

/** Bounds the requests in flight of each account, so that slow ones of one do not have those of others refused. */
export class AccountRequests {
  private readonly inFlight = new Map<string, number>();

  /** @param free how many more requests the process may have in flight, with the one that begins */
  constructor(private readonly free: () => number) {}

  /** Counts a request until `end`. @throws AppError `rate_limit_exceeded` if its account has too many */
  begin(account: string, response: CountedResponse): void {
    const own = this.inFlight.get(account) ?? 0;
    if (!mayTakePlace(own, this.free())) {
      throw new AppError('rate_limit_exceeded', 'Too many requests of this account are being answered at once.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    // The client left while its key was looked up: no event would tell.
    if (response.destroyed) return;
    this.inFlight.set(account, own + 1);
    response[ACCOUNT] = account;
  }

  /** The response is closed. */
  end(response: CountedResponse): void {
    const account = response[ACCOUNT];
    if (account === undefined) return;
    const left = this.inFlight.get(account)! - 1;
    if (left === 0) this.inFlight.delete(account);
    else this.inFlight.set(account, left);
  }
}
