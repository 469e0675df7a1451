import { IDEMPOTENCY_KEY, REPLAY_HEADERS, VERIFY_HEADERS } from '../billing/billing.openapi.js';
import { DOMAIN_SCHEMA } from '../domains/domain-object.openapi.js';
import { SMTP_DIAGNOSES } from '../engine/smtp/classification.js';
import { REASONS, RECOMMENDATIONS, RESULTS } from '../engine/verdict/result.js';
import {
  closedObject,
  flag,
  moment,
  nullable,
  oneOf,
  ref,
  text,
  type Schema,
} from '../platform/openapi/json-schema.js';
import type { ApiPart, Operation } from '../platform/openapi/operation.js';
import { requestSchema, type FieldNotes } from '../platform/openapi/request-schema.js';
import type { EntryError } from './batch-entry.js';
import { sandboxBatch, sandboxSingle } from './sandbox/sandbox.js';
import { MAX_EMAIL_LENGTH } from './max-email-length.js';
import { VerifyBatchRequest } from './verify-batch.request.js';
import { VerifySingleRequest } from './verify-single.request.js';
import type { Freshness, VerifyResult } from './verify.response.js';

const FRESHNESS: readonly Freshness[] = ['fresh', 'cached_recent', 'cached_stale_refreshed'];

const RESULT_FIELDS = {
  email: text('The address, trimmed and lowercased.'),
  result: oneOf(RESULTS, 'The verdict.'),
  deliverable: nullable(
    flag('true: the mailbox accepted the probe; false: it provably takes no mail; null: not proven, which is not bad.'),
  ),
  reason: nullable(oneOf(REASONS, 'Why; null: not probed, or recorded before reasons were.')),
  mx: flag('A mail host with a public address exists.'),
  mx_record: nullable(text('The best mail host.')),
  disposable: flag('Throw-away provider.'),
  role: flag('Shared mailbox, such as `info@`.'),
  catch_all: flag('The host accepts any recipient.'),
  free_email: nullable(flag('Freemail provider; null when the domain is not classified.')),
  relay: flag('Alias or forwarding service.'),
  relay_provider: nullable(text('Which.')),
  parked: flag('Parked domain.'),
  spam_trap: flag('Known or suspected spam trap.'),
  spam_trap_type: nullable(oneOf(['known_trap_domain', 'reputation_heuristic'], 'How that is known.')),
  suggested_correction: nullable(text('The address that was probably meant.')),
  smtp_diagnosis: nullable(oneOf(SMTP_DIAGNOSES, 'Of enhanced calls: what the mail host said.')),
  score: nullable({ type: 'number', minimum: 0, maximum: 1, description: 'Higher is safer to send to.' }),
  freshness: oneOf(FRESHNESS, 'Whether it was checked for this call.'),
  checked_at: nullable(moment('When the check ran, not when it was asked for.')),
  domain: { anyOf: [ref('Domain'), { type: 'null' }], description: 'Null until the domain was crawled.' },
  decision: ref('Decision'),
  degraded: flag("A guard's call past the monthly quota: no check was made."),
} satisfies Record<keyof VerifyResult, Schema>;

const ENTRY_ERROR_FIELDS = {
  email: nullable(text('As it was sent; null when it was no text.')),
  error: oneOf(
    ['invalid_email', 'insufficient_credits', 'verify_unavailable'],
    'Why there is no result. `insufficient_credits` in batches only.',
  ),
} satisfies Record<keyof EntryError, Schema>;

const mode: Schema = {
  description:
    '`quick`: syntax and DNS; `standard` (null means it): asks the mail host; `enhanced`: detects catch-all.',
};
const maxAge: Schema = { description: 'Seconds: only a younger check answers from the cache; 0: check again.' };
export const EMAILS: Schema = {
  items: { type: 'string', maxLength: MAX_EMAIL_LENGTH },
  description: 'An entry that is no address is an error of that entry alone.',
};
const SINGLE_NOTES: FieldNotes = {
  email: { description: 'Any text; what is no address is `bad_syntax`.' },
  mode,
  async: {
    description: 'true: answer at once; what needs a mail host is `verification_pending`. Ignored in quick mode.',
  },
  max_age: maxAge,
};

const single = (email: string) => sandboxSingle(email, 'standard').body;
const MIXED = ['valid@example.com', 'role@example.com', 'no address', 'servererror@example.com'];
const GUARD = {
  name: 'X-Guard-Integration',
  in: 'header',
  required: false,
  description:
    '`<name>/<version>`: a guard in a form asks, and is answered within 600 ms. Counts against the monthly quota.',
  schema: { type: 'string', examples: ['shop-form/1.2'] },
} as const;
const MAY_WAIT = ['Retry-After', ...REPLAY_HEADERS];

const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/verify/single',
    id: 'verifySingle',
    tag: 'Verify',
    summary: 'Verify one address while you wait',
    description:
      'Quick 0 credits, standard 1, enhanced 3 (1 where the host was known to accept everybody). `Retry-After` comes with `verification_pending`.',
    access: 'key',
    headers: VERIFY_HEADERS,
    parameters: [IDEMPOTENCY_KEY, GUARD],
    body: {
      required: true,
      description: 'At most 256 KiB. Unknown fields are ignored; null equals leaving a field out.',
      content: {
        'application/json': {
          schema: ref('VerifySingleRequest'),
          examples: { standard: { summary: 'One address', value: { email: 'valid@example.com' } } },
        },
      },
    },
    answers: {
      200: {
        description: 'The result.',
        headers: MAY_WAIT,
        content: {
          'application/json': {
            schema: ref('VerifyResult'),
            examples: {
              valid: { summary: 'The mailbox accepts', value: single('valid@example.com') },
              invalid: { summary: 'No such mailbox', value: single('invalid@example.com') },
              pending: { summary: 'The mail host is being asked', value: single('pending@example.com') },
              bad_syntax: { summary: 'Not an address', value: single('not an address') },
            },
          },
        },
      },
    },
    errors: ['insufficient_credits', 'idempotency_conflict', 'verify_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/verify/batch',
    id: 'verifyBatch',
    tag: 'Verify',
    summary: 'Verify up to 100 addresses at the speed of cache and DNS',
    description:
      'No mail host is asked while you wait: what only one can settle is `verification_pending`. Repeat the call after `Retry-After`.',
    access: 'key',
    headers: VERIFY_HEADERS,
    parameters: [IDEMPOTENCY_KEY],
    body: {
      required: true,
      description: 'At most 256 KiB. Unknown fields are ignored; null equals leaving a field out.',
      content: {
        'application/json': {
          schema: ref('VerifyBatchRequest'),
          examples: { mixed: { summary: 'A few addresses', value: { emails: MIXED } } },
        },
      },
    },
    answers: {
      200: {
        description: 'An entry for each address, in the order sent.',
        headers: MAY_WAIT,
        content: {
          'application/json': {
            schema: ref('VerifyBatchResponse'),
            examples: {
              mixed: { summary: 'Results and errors of entries', value: sandboxBatch(MIXED, 'standard').body },
            },
          },
        },
      },
    },
    errors: ['insufficient_credits', 'idempotency_conflict', 'verify_unavailable'],
  },
];

export const VERIFY_PART: ApiPart = {
  operations: OPERATIONS,
  schemas: {
    VerifySingleRequest: requestSchema(VerifySingleRequest, SINGLE_NOTES, 'One address.'),
    VerifyBatchRequest: requestSchema(VerifyBatchRequest, { emails: EMAILS, mode, max_age: maxAge }, 'Addresses.'),
    VerifyResult: closedObject('What was found out about an address.', RESULT_FIELDS),
    Domain: DOMAIN_SCHEMA,
    Decision: closedObject('Advice: the policy is yours.', {
      recommendation: oneOf(RECOMMENDATIONS, 'What to do.'),
      reasons: { type: 'array', items: { type: 'string' }, description: 'The signals that led to it. An open set.' },
    }),
    EntryError: closedObject('Stands in place of a result.', ENTRY_ERROR_FIELDS),
    Entry: { oneOf: [ref('VerifyResult'), ref('EntryError')], description: 'A result, or why there is none.' },
    VerifyBatchResponse: closedObject('Results of a batch.', {
      results: { type: 'array', items: ref('Entry'), minItems: 1, maxItems: 100, description: 'In the order sent.' },
    }),
  },
};
