import { closedObject, count, ref, type Schema } from '../platform/openapi/json-schema.js';
import type { ApiPart, Operation } from '../platform/openapi/operation.js';
import { requestSchema } from '../platform/openapi/request-schema.js';
import { GuardEventRequest } from './events/guard-event.request.js';
import { GuardEventsRequest } from './events/guard-events.request.js';
import type { EventsOutcome } from './events/guard-events.service.js';

const OUTCOME = {
  accepted: count('Events that were stored.', { minimum: 1 }),
  rejected: count('Malformed events, which were dropped.'),
} satisfies Record<keyof EventsOutcome, Schema>;

const EVENT = {
  domain: 'example.com',
  verdict: 'disposable',
  action: 'deny',
  reasons: ['disposable_provider'],
  degraded: false,
  source: 'local',
  integration: 'email-guard-js',
  lib_version: '1.2.0',
};

const RECORD: Operation = {
  method: 'post',
  path: '/v1/guard/events',
  id: 'recordGuardEvents',
  tag: 'Guard',
  summary: 'Record what guards decided',
  description: 'Free. Malformed events are dropped and counted; when none is well-formed, that is a 422.',
  access: 'key',
  body: {
    required: true,
    description: 'At most 256 KiB.',
    content: {
      'application/json': {
        schema: ref('GuardEventsRequest'),
        examples: { one: { summary: 'One event', value: { events: [EVENT] } } },
      },
    },
  },
  answers: {
    202: {
      description: 'What became of the events.',
      content: {
        'application/json': {
          schema: ref('GuardEventsResponse'),
          examples: { one: { summary: 'It was stored', value: { accepted: 1, rejected: 0 } } },
        },
      },
    },
  },
  errors: [],
};

const label = (description: string): Schema => ({ description });

export const GUARD_PART: ApiPart = {
  operations: [RECORD],
  schemas: {
    GuardEvent: requestSchema(
      GuardEventRequest,
      {
        domain: label('A domain, never an address: an event with an at sign here is rejected.'),
        verdict: label('What the guard found. The values of `result` are reported by name.'),
        action: label('What it did: `allow`, `deny` and `review` are reported by name.'),
        reasons: label('Why. Never an address.'),
        degraded: label('It had to decide without what it usually asks.'),
        source: label('`local` and `remote` are reported by name.'),
        integration: label('Its name.'),
        lib_version: label('Version of its library.'),
        spec_version: label('Version of the description it follows.'),
        property_key: label('Key of a property of the account.'),
      },
      'A decision of a guard. Unknown fields are ignored; null equals leaving a field out.',
    ),
    GuardEventsRequest: requestSchema(
      GuardEventsRequest,
      { events: { items: ref('GuardEvent'), description: 'Decisions.' } },
      'A report.',
    ),
    GuardEventsResponse: closedObject('What became of a report.', OUTCOME),
  },
};
