import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { idToBytes, newId } from '../../platform/ids/uuid.js';
import { scopeHash, type IdempotencyScope } from './idempotency-key.js';
import { IdempotencyRepository, type Lease, type StoredAnswer } from './idempotency.repository.js';
import { requestHash } from './request-hash.js';

export type Turn =
  /** It runs; `keep` or `release` ends it, or the charge that keeps its answer. */
  { readonly kind: 'first'; readonly lease: Lease } | { readonly kind: 'repeat'; readonly answer: StoredAnswer };

/** Soon: calls take seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Sees to it that calls with the same `Idempotency-Key` are one call (decisions 1.7). */
@Injectable()
export class IdempotencyService {
  private readonly logger = new Logger('Billing');

  constructor(
    private readonly records: IdempotencyRepository,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError `idempotency_conflict` when the key stands for another body, or its first call still runs */
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
   * Keeps the answer of a call that costs nothing: there is no charge to keep it with.
   * @throws AppError `idempotency_conflict` when its turn has passed to another
   */
  async keep(lease: Lease, answer: StoredAnswer): Promise<void> {
    const { answerHours } = this.config.billing;
    if (!(await this.records.keep(lease, answer, answerHours))) throw stillRunning();
  }

  /**
   * Lets the next call with the key begin at once. In the background: a charge whose outcome is not known yet may hold the row,
   * and no caller waits for that.
   */
  release(lease: Lease): void {
    this.records.release(lease).catch((err: unknown) => {
      this.logger.error({ err }, 'an idempotency key stays taken until its lease ends');
    });
  }
}

/** Another call with the key is under way. */
export function stillRunning(): AppError {
  return new AppError('idempotency_conflict', 'The first call with this Idempotency-Key still runs.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
