import { closedObject, count, flag, moment, nullable, ref, text } from '../platform/openapi/json-schema.js';
import type { ApiPart, Operation, Parameter } from '../platform/openapi/operation.js';
import type { CreditsStatus } from './credits/credits.response.js';

/** Of every answer to a caller whose key is in force, on every route. */
export const BALANCE_HEADER = 'X-Credits-Remaining';
/** The same, on routes that verify. */
export const VERIFY_HEADERS = ['X-Verify-Free-Remaining', 'X-Credits-Used'];
/** On successes of routes that take an `Idempotency-Key`. */
export const REPLAY_HEADERS = ['Idempotency-Replayed'];

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat for 24 hours: the same key with the same body gets the first answer again and is not charged. Only successes are kept.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

const allowance = (description: string) =>
  closedObject(description, {
    limit: nullable(count('A month; null: unlimited.')),
    remaining: nullable(count('Left this month; null: unlimited.')),
    resets_at: moment('When the next month begins.'),
  });

const STATUS = {
  plan: text('Name of the plan.'),
  sandbox: flag('Asked with a test key.'),
  credits: closedObject('The balance. Gifted credits are spent first.', {
    total: count('Both together.'),
    purchased: count('Bought.'),
    gifted: count('Given.'),
  }),
  rate_limit: closedObject('As the `X-RateLimit-*` headers of the same answer.', {
    limit: count('Requests a minute.'),
    remaining: nullable(count('Requests that may be made now; null when it is not known.')),
    reset: nullable(count('Unix second at which all are back; null when it is not known.')),
  }),
  free_verifies: allowance('Free verifies of the month (UTC).'),
  guard: allowance('Remote decisions of guards, of the month (UTC).'),
} satisfies Record<keyof CreditsStatus, unknown>;

const EXAMPLE: CreditsStatus = {
  plan: 'growth',
  sandbox: false,
  credits: { total: 1500, purchased: 1000, gifted: 500 },
  rate_limit: { limit: 1200, remaining: 1199, reset: 1795831209 },
  free_verifies: { limit: 10_000, remaining: 9975, resets_at: '2026-12-01T00:00:00.000Z' },
  guard: { limit: 250_000, remaining: 248_310, resets_at: '2026-12-01T00:00:00.000Z' },
};

const reading = {
  path: '/v1/credits',
  tag: 'Credits',
  access: 'key',
  headers: ['X-Verify-Free-Remaining'],
  answers: {
    200: {
      description: 'What the account may ask for and pay with.',
      content: {
        'application/json': {
          schema: ref('CreditsStatus'),
          examples: { growth: { summary: 'A live key of the plan `growth`', value: EXAMPLE } },
        },
      },
    },
  },
  errors: [],
} as const;

const OPERATIONS: readonly Operation[] = [
  {
    ...reading,
    method: 'get',
    id: 'getCredits',
    summary: 'Balance, rate limit and allowances',
    description: 'Free.',
  },
  {
    ...reading,
    method: 'post',
    id: 'readCredits',
    summary: 'Balance, rate limit and allowances',
    description: 'The same as GET. Free.',
    body: {
      required: false,
      description: 'None, `[]` or `{}`; a media type is needed only where there is one.',
      content: { 'application/json': { schema: { type: ['array', 'object'], maxItems: 0 } } },
    },
  },
];

export const BILLING_PART: ApiPart = {
  operations: OPERATIONS,
  schemas: { CreditsStatus: closedObject('What an account has.', STATUS) },
  headers: {
    [BALANCE_HEADER]: {
      description: 'The balance after the call. Left out when it is not known.',
      schema: { type: 'integer', minimum: 0 },
    },
    'X-Verify-Free-Remaining': {
      description: 'Free verifies left this month. Left out where they are unlimited or not known.',
      schema: { type: 'integer', minimum: 0 },
    },
    'X-Credits-Used': {
      description: 'Credits that this call took; 0 when a free verify paid.',
      schema: { type: 'integer', minimum: 0 },
    },
    'X-Credits-Required': {
      description: 'How many credits are missing.',
      schema: { type: 'integer', minimum: 1 },
      required: true,
    },
    'Idempotency-Replayed': {
      description: 'Only on a repeat: this is the answer to the first call.',
      schema: { type: 'string', const: 'true' },
    },
  },
};
