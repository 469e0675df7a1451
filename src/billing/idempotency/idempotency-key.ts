import { createHash } from 'node:crypto';
import type { KeyMode } from '../../auth/api-key.js';

/** The rule in words, for the error message when `parseIdempotencyKey` returns null. */
export const IDEMPOTENCY_KEY_RULE = 'Idempotency-Key must be one header of 1 to 255 printable ASCII characters';

/** Parses an `Idempotency-Key` header (decisions 1.7), unchanged; null if invalid. */
export function parseIdempotencyKey(header: string | string[]): string | null {
  return typeof header === 'string' && /^[\x20-\x7e]{1,255}$/.test(header) ? header : null;
}

/** The scope of a key: calls that share all of these are the same call. */
export interface IdempotencyScope {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly method: string;
  /** Path of the resource. */
  readonly path: string;
  /** Case-sensitive. */
  readonly key: string;
}

/** A 32-octet hash. Only the hash is stored: the key may contain business data of its owner. */
export function scopeHash({ accountId, mode, method, path, key }: IdempotencyScope): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([accountId, mode, method, path, key]))
    .digest();
}
