import { ApiAnswerHeaders } from '../platform/openapi/api-answers.js';

/** A request header for `@ApiHeader()`. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'Makes the call safe to repeat for 24 hours: the same key with the same body gets the first answer again and is not charged. Only successes are kept.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
} as const;

/** Documents the billing headers of a controller whose routes verify: what is left and what the call cost. */
export const ApiMetered = (): ClassDecorator => ApiAnswerHeaders('X-Verify-Free-Remaining', 'X-Credits-Used');
