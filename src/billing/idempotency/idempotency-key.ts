import { createHash } from 'node:crypto';
import type { KeyMode } from '../../auth/api-key.js';

/** In words, for the message that goes with a null of `parseIdempotencyKey`. */
export const IDEMPOTENCY_KEY_RULE = 'Idempotency-Key must be one header of 1 to 255 printable ASCII characters';

/** The value of an `Idempotency-Key` header (decisions 1.7), as it was sent; null when it breaks the rule. */
export function parseIdempotencyKey(header: string | string[]): string | null {
  return typeof header === 'string' && /^[\x20-\x7e]{1,255}$/.test(header) ? header : null;
}

/** Within what a key is one and the same: two calls that share all of this are one call. */
export interface IdempotencyScope {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly method: string;
  /** Of the route. */
  readonly path: string;
  /** Case-sensitive. */
  readonly key: string;
}

/** 32 octets. The key may say something of its owner's business: only this is kept. */
export function scopeHash({ accountId, mode, method, path, key }: IdempotencyScope): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([accountId, mode, method, path, key]))
    .digest();
}
