import { AppError } from '../platform/errors/app-error.js';

/** No key in force came with the request. */
class NoValidKeyError extends AppError {
  constructor() {
    super('unauthorized', 'The X-API-Key header is missing or holds no valid key.');
  }
}

/** What came cannot be a key: missing, mistyped, or of another kind. It cost no look-up. */
export class MalformedKeyError extends NoValidKeyError {}

/** What came is built like a key, and none of that kind is in force. The answer is the same: it says nothing of keys. */
export class UnknownKeyError extends NoValidKeyError {}
