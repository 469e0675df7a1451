import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { retryLockConflicts } from '../../platform/database/retry-lock-conflicts.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import { BoundedSemaphore } from '../../platform/scheduling/bounded-semaphore.js';
import { IdempotencyService, stillRunning } from '../idempotency/idempotency.service.js';
import type { MeteredCall } from './metered-call.js';
import { toStoredAnswer } from './metered-response.js';
import {
  StoredMeteredResponseRepository,
  type Storage,
  type StorageOutcome,
} from './stored-metered-response.repository.js';
import type { StoredMeteredResponse } from './stored-metered-response.js';

/** Concurrent transactions: each occupies one pool connection while it writes thousands of rows. */
const PERMITS = 3;
/** Limits the queue: each waiting call holds its rows in memory, some ten megabytes at most. */
const MAX_WAITING = 30;
const MAX_WAIT_MS = 10_000;
/** How long and how often to check the outcome of a COMMIT. */
const ASK_FOR_MS = 10_000;
const ASK_EVERY_MS = 100;

/** Charges for responses that consist of rows: the rows exist if and only if they are paid for (decisions 4.1). */
@Injectable()
export class StoredMeteredResponseService {
  private readonly logger = new Logger('Billing');
  private readonly semaphore = new BoundedSemaphore({
    permits: PERMITS,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly storage: StoredMeteredResponseRepository,
  ) {}

  /**
   * @returns the JSON body; header values are set on the call
   * @throws AppError `insufficient_credits`, `idempotency_conflict`, `service_unavailable`: the outcome may then be
   * unknown
   */
  async charge(call: MeteredCall, response: StoredMeteredResponse): Promise<string> {
    const { hold, lease } = call;
    const text = JSON.stringify(response.body);
    const outcome = await this.semaphore.run(() => this.store(call, response, text));
    if (outcome.kind === 'superseded') throw stillRunning();
    if (outcome.kind === 'insufficient') {
      throw hold.insufficientCredits(outcome.shortfall, response.price.addresses, outcome.funds);
    }
    if (outcome.kind === 'withdrawn') {
      // The client has disconnected; the next call with its key starts afresh.
      if (lease !== null) this.idempotency.release(lease);
      return text;
    }
    const { paid } = outcome;
    if (paid !== null) {
      hold.fundsAfterCharge = paid.funds;
      hold.payment = paid.payment;
      call.funds = paid.funds;
      call.creditsUsed = paid.payment.purchased + paid.payment.gifted;
    }
    call.headers = response.headers;
    this.conclude(response);
    return text;
  }

  private async store(
    { caller, lease, hold }: MeteredCall,
    response: StoredMeteredResponse,
    text: string,
  ): Promise<Exclude<StorageOutcome, { kind: 'unknown' }>> {
    const { accountId, keyId, mode, plan } = caller;
    const { reference, price } = response;
    const isFree = mode === 'test' || price.addresses === 0;
    const charge = { accountId, keyId, reference, price, freeVerifiesPerMonth: plan.freeVerifiesPerMonth };
    const storage: Storage = {
      accountId,
      store: response.store,
      storeHeld: response.storeHeld,
      charge: isFree ? null : charge,
      answer: lease && { ...lease, ...toStoredAnswer(response, text) },
      isGone: () => hold.callerIsGone(),
    };
    const outcome = await retryLockConflicts(() => this.storage.commit(storage));
    if (outcome.kind !== 'unknown') return outcome;
    if (await this.stands(response, outcome.cause)) return { kind: 'stored', paid: outcome.paid };
    throw serviceUnavailable(outcome.cause);
  }

  /**
   * @throws AppError `service_unavailable` if the outcome is unknown: the rows may exist, and reads will then find them
   */
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
    } catch (err) {
      this.logger.error({ err }, 'a step after a stored response failed');
    }
  }
}
