import type { FastifyRequest } from 'fastify';
import { setTimeout as delay } from 'node:timers/promises';
import { BoundedSemaphore } from '../../platform/scheduling/bounded-semaphore.js';
import { isLockConflict } from '../../platform/database/database-errors.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import {
  IdempotentCalls,
  setHeaders,
  toKept,
  type Answer,
  type Call,
  type IdempotentCallsParts,
} from './idempotent-calls.js';
import { showFunds } from '../credits/funds-headers.js';
import type { StoredAnswer } from '../idempotency/idempotency.repository.js';
import { stillRunning } from '../idempotency/idempotency.service.js';
import type { CreditHold } from '../holds/credit-hold.js';
import type { Price } from '../price.js';
import type {
  StorageOutcome,
  StoredMeteredResponseRepository,
  Transaction,
} from './stored-metered-response.repository.js';

/** What a call has stored, in the transaction that charges for it. */
export interface StoredMeteredResponse extends Answer {
  /** Of the charge: unique for ever, and named after what is stored. */
  readonly reference: string;
  readonly price: Price;
  /** Writes what is paid for. It may be asked again, in another transaction, when the first one was rolled back. */
  readonly store: (transaction: Transaction) => Promise<void>;
  /**
   * Writes the rest of it, while no other response of the account is stored: what is counted here holds until it stands. It
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

export interface StoredMeteredResponseServiceParts extends IdempotentCallsParts {
  readonly storage: Pick<StoredMeteredResponseRepository, 'commit'>;
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
 * refusals and headers are those of `MeteredResponseService`.
 */
export class StoredMeteredResponseService {
  private readonly calls: IdempotentCalls;
  private readonly semaphore = new BoundedSemaphore({
    permits: PLACES,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  constructor(private readonly parts: StoredMeteredResponseServiceParts) {
    this.calls = new IdempotentCalls(parts);
  }

  /**
   * @returns the text of the JSON answer
   * @throws AppError of `work`, `insufficient_credits`, `idempotency_conflict`, `validation_failed` for a key that is none,
   *   `service_unavailable`: then it is not known to stand
   */
  deliver(request: FastifyRequest, work: (hold: CreditHold) => Promise<StoredMeteredResponse>): Promise<string> {
    return this.calls.run(request, async (call, hold) => {
      const response = await work(hold);
      const text = JSON.stringify(response.body);
      const kept = toKept(response, text);
      const outcome = await this.semaphore.run(() => this.store(call, response, kept, hold));
      if (outcome.kind === 'superseded') throw stillRunning();
      if (outcome.kind === 'insufficient') {
        throw hold.insufficientCredits(outcome.shortfall, response.price.addresses, outcome.funds);
      }
      if (outcome.kind === 'withdrawn') {
        // Nobody reads the answer; the next call with its key is a first one.
        if (call.lease !== null) this.calls.release(call.lease);
        return text;
      }
      const { paid } = outcome;
      if (paid !== null) {
        hold.fundsAfterCharge = paid.funds;
        showFunds(request, paid.funds);
        setHeaders(request, { 'X-Credits-Used': String(paid.payment.purchased + paid.payment.gifted) });
      }
      setHeaders(request, response.headers);
      this.conclude(response);
      return text;
    });
  }

  private async store(
    { caller, lease }: Call,
    response: StoredMeteredResponse,
    kept: StoredAnswer,
    hold: CreditHold,
  ): Promise<Exclude<StorageOutcome, { kind: 'unknown' }>> {
    const { accountId, keyId, mode, plan } = caller;
    const { reference, price } = response;
    const isFree = mode === 'test' || price.addresses === 0;
    const charge = { accountId, keyId, reference, price, freeVerifiesPerMonth: plan.freeVerifiesPerMonth };
    const outcome = await this.commit({
      accountId,
      store: response.store,
      storeHeld: response.storeHeld,
      charge: isFree ? null : charge,
      answer: lease && { ...lease, ...kept },
      isGone: () => hold.callerIsGone(),
    });
    if (outcome.kind !== 'unknown') return outcome;
    if (await this.stands(response, outcome.cause)) return { kind: 'stored', paid: outcome.paid };
    throw serviceUnavailable(outcome.cause);
  }

  private async commit(storage: Parameters<StoredMeteredResponseRepository['commit']>[0]): Promise<StorageOutcome> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.parts.storage.commit(storage);
      } catch (error) {
        if (!isLockConflict(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** @throws AppError `service_unavailable` when it cannot be told: then it may stand, and whoever looks for it finds it */
  private async stands(response: StoredMeteredResponse, cause: unknown): Promise<boolean> {
    const until = performance.now() + ASK_FOR_MS;
    while (performance.now() < until) {
      try {
        return await response.stands();
      } catch {
        await delay(ASK_EVERY_MS);
      }
    }
    throw serviceUnavailable(cause);
  }

  private conclude({ after }: StoredMeteredResponse): void {
    try {
      after?.();
    } catch (error) {
      this.parts.onTrouble('what follows a stored response failed', error);
    }
  }
}
