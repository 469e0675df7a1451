import type { ApiPart } from './operation.js';

/** The description describes itself. `/docs` is for people. */
export const DESCRIPTION_PART: ApiPart = {
  operations: [
    {
      method: 'get',
      path: '/openapi.json',
      id: 'getDescription',
      tag: 'Operation',
      summary: 'This document',
      description: 'For people it is at `/docs`.',
      access: 'public',
      answers: {
        200: {
          description: 'OpenAPI 3.1.',
          content: {
            'application/json': {
              schema: { type: 'object', required: ['openapi'], properties: { openapi: { type: 'string' } } },
            },
          },
        },
      },
      errors: [],
    },
  ],
};
