import type { FastifyRequest } from 'fastify';
import { setTimeout as delay } from 'node:timers/promises';
import { BoundedSemaphore } from '../../platform/scheduling/bounded-semaphore.js';
import { isLockConflict } from '../../platform/database/database-errors.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import { Calls, setHeaders, toKept, type Answer, type Call, type CallsParts } from './calls.js';
import { showFunds } from '../credits/funds-headers.js';
import type { StoredAnswer } from '../idempotency/idempotency.repository.js';
import { stillRunning } from '../idempotency/idempotency.service.js';
import type { Place, Terms } from '../holds/place.js';
import type { Price } from '../price.js';
import type { StorageOutcome, StoredDeliveryRepository, Transaction } from './stored-delivery.repository.js';

/** What a call has stored, in the transaction that charges for it. */
export interface StoredDelivery extends Answer {
  /** Of the charge: unique for ever, and named after what is stored. */
  readonly reference: string;
  readonly price: Price;
  /** Writes what is paid for. It may be asked again, in another transaction, when the first one was rolled back. */
  readonly store: (transaction: Transaction) => Promise<void>;
  /**
   * Writes the rest of it, while no other delivery of the account is stored: what is counted here holds until it stands. It
   * should be quick. @throws AppError that the call is refused with: nothing stands
   */
  readonly storeHeld: (transaction: Transaction) => Promise<void>;
  /**
   * Whether it stands, by a read that no transaction under way can make false later: asked when the outcome of a COMMIT was
   * lost. It rejects while that cannot be told.
   */
  readonly stands: () => Promise<boolean>;
  /** Called once after it was stored, before the answer is sent. Must not throw. */
  readonly after?: () => void;
}

export interface StoredDeliveriesParts extends CallsParts {
  readonly storage: Pick<StoredDeliveryRepository, 'commit'>;
}

/** Transactions at once, of the connections that a process has: each takes one for as long as thousands of rows take. */
const PLACES = 3;
/** Each holds its rows in memory, up to some ten megabytes. */
const MAX_WAITING = 30;
const MAX_WAIT_MS = 10_000;
/** A transaction that lost a contest for a lock is made again. */
const MAX_TRIES = 3;
/** How long it is asked what became of a COMMIT, and how often. */
const ASK_FOR_MS = 10_000;
const ASK_EVERY_MS = 100;

/**
 * Answers calls whose result is rows: it exists exactly if it was paid (decisions 4.1). Repeats of an `Idempotency-Key`,
 * refusals and headers are those of `Deliveries`.
 */
export class StoredDeliveries {
  private readonly calls: Calls;
  private readonly turnstile = new BoundedSemaphore({
    permits: PLACES,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  constructor(private readonly parts: StoredDeliveriesParts) {
    this.calls = new Calls(parts);
  }

  /**
   * @returns the text of the JSON answer
   * @throws AppError of `work`, `insufficient_credits`, `idempotency_conflict`, `validation_failed` for a key that is none,
   *   `service_unavailable`: then it is not known to stand
   */
  deliver(request: FastifyRequest, work: (terms: Terms) => Promise<StoredDelivery>): Promise<string> {
    return this.calls.run(request, async (call, place) => {
      const delivery = await work(place);
      const text = JSON.stringify(delivery.body);
      const kept = toKept(delivery, text);
      const outcome = await this.turnstile.run(() => this.store(call, delivery, kept, place));
      if (outcome.kind === 'superseded') throw stillRunning();
      if (outcome.kind === 'insufficient') {
        throw place.insufficient(outcome.shortfall, delivery.price.addresses, outcome.funds);
      }
      if (outcome.kind === 'withdrawn') {
        // Nobody reads the answer; the next call with its key is a first one.
        if (call.lease !== null) this.calls.release(call.lease);
        return text;
      }
      const { paid } = outcome;
      if (paid !== null) {
        place.left = paid.funds;
        showFunds(request, paid.funds);
        setHeaders(request, { 'X-Credits-Used': String(paid.payment.purchased + paid.payment.gifted) });
      }
      setHeaders(request, delivery.headers);
      this.conclude(delivery);
      return text;
    });
  }

  private async store(
    { caller, lease }: Call,
    delivery: StoredDelivery,
    kept: StoredAnswer,
    place: Place,
  ): Promise<Exclude<StorageOutcome, { kind: 'unknown' }>> {
    const { accountId, keyId, mode, plan } = caller;
    const { reference, price } = delivery;
    const isFree = mode === 'test' || price.addresses === 0;
    const charge = { accountId, keyId, reference, price, freeVerifiesPerMonth: plan.freeVerifiesPerMonth };
    const outcome = await this.commit({
      accountId,
      store: delivery.store,
      storeHeld: delivery.storeHeld,
      charge: isFree ? null : charge,
      answer: lease && { ...lease, ...kept },
      isGone: () => place.isGone(),
    });
    if (outcome.kind !== 'unknown') return outcome;
    if (await this.stands(delivery, outcome.cause)) return { kind: 'stored', paid: outcome.paid };
    throw serviceUnavailable(outcome.cause);
  }

  private async commit(storage: Parameters<StoredDeliveryRepository['commit']>[0]): Promise<StorageOutcome> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.parts.storage.commit(storage);
      } catch (error) {
        if (!isLockConflict(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** @throws AppError `service_unavailable` when it cannot be told: then it may stand, and whoever looks for it finds it */
  private async stands(delivery: StoredDelivery, cause: unknown): Promise<boolean> {
    const until = performance.now() + ASK_FOR_MS;
    while (performance.now() < until) {
      try {
        return await delivery.stands();
      } catch {
        await delay(ASK_EVERY_MS);
      }
    }
    throw serviceUnavailable(cause);
  }

  private conclude({ after }: StoredDelivery): void {
    try {
      after?.();
    } catch (error) {
      this.parts.onTrouble('what follows a stored delivery failed', error);
    }
  }
}
