import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { idToBytes, newId } from '../../platform/ids/uuid.js';
import { scopeHash, type IdempotencyScope } from './idempotency-key.js';
import { IdempotencyRepository, type Lease, type StoredAnswer } from './idempotency.repository.js';
import { requestHash } from './request-hash.js';

export type Turn =
  /** The call runs until `keep`, `release` or the charge that stores its answer. */
  { readonly kind: 'first'; readonly lease: Lease } | { readonly kind: 'repeat'; readonly answer: StoredAnswer };

/** Short: calls take seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Runs calls with the same `Idempotency-Key` only once (decisions 1.7). */
@Injectable()
export class IdempotencyService {
  private readonly logger = new Logger('Billing');

  constructor(
    private readonly records: IdempotencyRepository,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError `idempotency_conflict` if the key was used with another body, or its first call still runs */
  async begin(scope: IdempotencyScope, body: unknown): Promise<Turn> {
    const hash = await requestHash(body);
    const acquired = await this.records.acquire(scopeHash(scope), scope.accountId, hash, idToBytes(newId()));
    if (acquired.kind === 'acquired') return { kind: 'first', lease: acquired.lease };
    if (!acquired.requestHash.equals(hash)) {
      throw new AppError('idempotency_conflict', 'This Idempotency-Key was sent before with another body.');
    }
    if (acquired.kind === 'running') throw stillRunning();
    return { kind: 'repeat', answer: acquired.answer };
  }

  /**
   * Stores the answer of a free call, which has no charge to store it with.
   * @throws AppError `idempotency_conflict` if another call has taken the lease
   */
  async storeAnswer(lease: Lease, answer: StoredAnswer): Promise<void> {
    const { answerHours } = this.config.billing;
    if (!(await this.records.storeAnswer(lease, answer, answerHours))) throw stillRunning();
  }

  /**
   * Lets the next call with the key start at once. Runs in the background: a charge with an unknown outcome may lock
   * the row, and no client should wait for that.
   */
  release(lease: Lease): void {
    this.records.release(lease).catch((err: unknown) => {
      this.logger.error({ err }, 'an idempotency key stays taken until its lease ends');
    });
  }
}

/** Another call with the key is running. */
export function stillRunning(): AppError {
  return new AppError('idempotency_conflict', 'The first call with this Idempotency-Key is still running.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
