import { AppError } from '../../errors/app-error.js';
import { Shares, type SharesOptions } from '../shares.js';

/** Bodies up to this size, in octets, are read at once and not counted. */
export const SMALL_BODY = 16 * 1024;
/** Memory counted for each value or name in addition to its bytes: an upper bound of what it takes once built. */
const VALUE_OCTETS = 48;

const MIB = 1024 * 1024;
const SHARES: SharesOptions = { total: 80 * MIB, perAccount: 20 * MIB };
/** A body that has been arriving for longer gives way when there is no room for another. */
const SLOW_MS = 5000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Bounds the memory of request bodies, from their first byte until their calls are answered: for the process and for
 * each account.
 */
export class BodiesInFlight {
  private readonly shares: Shares;
  private readonly arriving = new Set<HeldBody>();
  private readonly refusals = { account: 0, process: 0 };

  constructor(
    shares: SharesOptions = SHARES,
    private readonly slowMs = SLOW_MS,
  ) {
    this.shares = new Shares(shares);
  }

  /** Octets held now. */
  get octets(): number {
    return this.shares.inUse;
  }

  /** Refused bodies, by the bound that refused them. */
  get refused(): Readonly<Record<'account' | 'process', number>> {
    return this.refusals;
  }

  /** @param onEvicted called, after the release, when the body arrives too slowly and its room is needed */
  begin(account: string, onEvicted: (refusal: AppError) => void): HeldBody {
    const body: HeldBody = new HeldBody(
      (octets) => this.take(account, octets, body),
      (octets) => {
        this.arriving.delete(body);
        this.shares.release(account, octets);
      },
      onEvicted,
    );
    this.arriving.add(body);
    return body;
  }

  /** The body is complete: it is now kept until it is released. */
  arrived(body: HeldBody): void {
    this.arriving.delete(body);
  }

  private take(account: string, octets: number, body: HeldBody): void {
    for (;;) {
      const taking = this.shares.reserve(account, octets);
      if (taking === 'taken') return;
      if (taking === 'account_full') {
        this.refusals.account++;
        throw new AppError('quota_exceeded', 'Too many large bodies of this account are on their way at once.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      const [slowest] = this.arriving;
      if (slowest === undefined || slowest === body || performance.now() - slowest.since < this.slowMs) {
        this.refusals.process++;
        throw noRoom();
      }
      slowest.yield(noRoom());
    }
  }
}

/** The memory counted for one body. */
export class HeldBody {
  readonly since = performance.now();
  private octets = 0;

  constructor(
    private readonly take: (octets: number) => void,
    private readonly releaseOctets: (octets: number) => void,
    private readonly onEvicted: (refusal: AppError) => void,
  ) {}

  /**
   * @param octets received so far, or announced
   * @param values in those octets
   * @throws AppError `quota_exceeded`, `service_unavailable` if there is no memory for it
   */
  grow(octets: number, values: number): void {
    const more = Math.max(0, octets + values * VALUE_OCTETS - this.octets);
    if (more === 0) return;
    this.take(more);
    this.octets += more;
  }

  release(): void {
    this.releaseOctets(this.octets);
    this.octets = 0;
  }

  yield(refusal: AppError): void {
    this.release();
    this.onEvicted(refusal);
  }
}

function noRoom(): AppError {
  return new AppError('service_unavailable', 'Too many large bodies are on their way at once; retry.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
