import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isLockConflict } from '../../platform/database/database-errors.js';
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

/** Transactions at once, of the connections that a process has: each takes one for as long as thousands of rows take. */
const PERMITS = 3;
/** Each holds its rows in memory, up to some ten megabytes. */
const MAX_WAITING = 30;
const MAX_WAIT_MS = 10_000;
/** A transaction that lost a contest for a lock is made again. */
const MAX_TRIES = 3;
/** How long it is asked what became of a COMMIT, and how often. */
const ASK_FOR_MS = 10_000;
const ASK_EVERY_MS = 100;

/** Charges for responses whose result is rows: it exists exactly if it was paid (decisions 4.1). */
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
   * @returns the text of the JSON answer; what belongs into its headers is left in the call
   * @throws AppError `insufficient_credits`, `idempotency_conflict`, `service_unavailable`: then it is not known to stand
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
      // Nobody reads the answer; the next call with its key is a first one.
      if (lease !== null) this.idempotency.release(lease);
      return text;
    }
    const { paid } = outcome;
    if (paid !== null) {
      hold.fundsAfterCharge = paid.funds;
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
    const outcome = await this.commit({
      accountId,
      store: response.store,
      storeHeld: response.storeHeld,
      charge: isFree ? null : charge,
      answer: lease && { ...lease, ...toStoredAnswer(response, text) },
      isGone: () => hold.callerIsGone(),
    });
    if (outcome.kind !== 'unknown') return outcome;
    if (await this.stands(response, outcome.cause)) return { kind: 'stored', paid: outcome.paid };
    throw serviceUnavailable(outcome.cause);
  }

  private async commit(storage: Storage): Promise<StorageOutcome> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.storage.commit(storage);
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
    } catch (err) {
      this.logger.error({ err }, 'a step after a stored response failed');
    }
  }
}
