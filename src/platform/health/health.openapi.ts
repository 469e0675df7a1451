import { closedObject, ref, text } from '../openapi/json-schema.js';
import type { ApiPart, Operation } from '../openapi/operation.js';

const OK = { type: 'string', const: 'ok', description: 'Everything else is not a 200.' };
const READY = {
  type: 'string',
  enum: ['ok', 'degraded'],
  description:
    '`degraded`: Redis answers and takes no writes, so that every process counts and works by itself. Requests may be sent all the same.',
};

function probe(name: string, summary: string, schema: string, example: object, canFail: boolean): Operation {
  return {
    method: 'get',
    path: `/health/${name}`,
    id: `${name}Health`,
    tag: 'Operation',
    summary,
    description: 'For orchestrators and balancers.',
    access: 'public',
    answers: {
      200: {
        description: 'Yes.',
        content: {
          'application/json': { schema: ref(schema), examples: { ok: { summary: 'Yes', value: example } } },
        },
      },
    },
    errors: canFail ? ['service_unavailable'] : [],
  };
}

export const HEALTH_PART: ApiPart = {
  operations: [
    probe('live', 'Does the process do its work?', 'Health', { status: 'ok' }, true),
    probe(
      'ready',
      'May requests be sent here?',
      'Readiness',
      { status: 'ok', details: { database: { status: 'up' }, redis: { status: 'up' } }, warnings: [] },
      true,
    ),
    probe('startup', 'Has the process started?', 'Health', { status: 'ok' }, false),
  ],
  schemas: {
    Health: closedObject('A probe that passed.', { status: OK }),
    Readiness: closedObject('Ready, and what else is to be known.', {
      status: READY,
      details: { type: 'object', description: 'By server or part of the process. An open set.' },
      warnings: { type: 'array', items: text('One line.'), description: 'What an operator should mend.' },
    }),
  },
};
