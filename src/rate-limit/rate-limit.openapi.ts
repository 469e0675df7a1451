import type { ApiPart } from '../platform/openapi/operation.js';

const count = { type: 'integer', minimum: 0 };

/** Headers of `rate-limit-headers.ts`, as callers see them. */
export const RATE_LIMIT_PART = {
  operations: [],
  headers: {
    'X-RateLimit-Limit': { description: 'Requests a minute that the plan allows.', schema: count },
    'X-RateLimit-Remaining': { description: 'Requests that may be made now.', schema: count },
    'X-RateLimit-Reset': { description: 'Unix second at which all of them are back.', schema: count },
    'RateLimit-Policy': {
      description: 'The limit as draft-ietf-httpapi-ratelimit-headers writes it: `"default";q=300;w=60`.',
      schema: { type: 'string' },
    },
    RateLimit: {
      description: 'What is left, in the same form: `"default";r=150;t=1`; `t`: seconds until there is one more.',
      schema: { type: 'string' },
    },
  },
} as const satisfies ApiPart;
