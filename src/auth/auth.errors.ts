import { AppError } from '../platform/errors/app-error.js';

/** The request has no valid key. */
class NoValidKeyError extends AppError {
  constructor() {
    super('unauthorized', 'The X-API-Key header is missing or holds no valid key.');
  }
}

/** The key is missing, mistyped or of another kind. Costs no look-up. */
export class MalformedKeyError extends NoValidKeyError {}

/** The key is well-formed but unknown, expired or revoked. The answer is the same, so it reveals nothing about keys. */
export class UnknownKeyError extends NoValidKeyError {}
