import { closedObject, text, type Schema } from './json-schema.js';
import type { Entrance } from './openapi.controller.js';
import type { ApiPart, Operation } from './operation.js';

const ENTRANCE = {
  name: text('Of the product.'),
  version: text('Of the product, not of the API.'),
  links: closedObject('Paths that need no key.', {
    description: text('This document.'),
    reference: text('The same for people.'),
    live: text('Whether the process lives.'),
    ready: text('Whether it can serve.'),
  }),
} satisfies Record<keyof Entrance, Schema>;

const DESCRIPTION = {
  method: 'get',
  tag: 'Operation',
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
} as const satisfies Partial<Operation>;

/** The description describes itself. `/docs` is for people. */
export const DESCRIPTION_PART: ApiPart = {
  operations: [
    {
      method: 'get',
      path: '/',
      id: 'getEntrance',
      tag: 'Operation',
      summary: 'Name, version and links',
      description: 'For whoever knows nothing but the address of the service.',
      access: 'public',
      answers: {
        200: {
          description: 'What answers here.',
          content: { 'application/json': { schema: closedObject('What answers here.', ENTRANCE) } },
        },
      },
      errors: [],
    },
    {
      ...DESCRIPTION,
      path: '/openapi.json',
      id: 'getDescription',
      summary: 'This document',
      description: 'For people it is at `/docs`.',
    },
    {
      ...DESCRIPTION,
      path: '/v1/openapi.json',
      id: 'getDescriptionOfVersion',
      summary: 'This document',
      description: 'The same as `/openapi.json`.',
    },
  ],
};
