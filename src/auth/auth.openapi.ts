import type { ApiPart } from '../platform/openapi/operation.js';

export const AUTH_PART = {
  operations: [],
  headers: {
    'X-Sandbox': {
      description: 'Only with a test key: nothing in this answer is real.',
      schema: { type: 'string', const: 'true' },
    },
  },
} as const satisfies ApiPart;
