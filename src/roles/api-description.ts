import { AUTH_PART } from '../auth/auth.openapi.js';
import { BALANCE_HEADER, BILLING_PART } from '../billing/billing.openapi.js';
import { GUARD_PART } from '../guard/guard.openapi.js';
import { JOBS_PART } from '../jobs/jobs.openapi.js';
import { HEALTH_PART } from '../platform/health/health.openapi.js';
import { assembleDocument } from '../platform/openapi/assemble-document.js';
import { DESCRIPTION_PART } from '../platform/openapi/openapi.openapi.js';
import { RATE_LIMIT_PART } from '../rate-limit/rate-limit.openapi.js';
import { VERIFY_PART } from '../verify/verify.openapi.js';

const DESCRIPTION = `Verifies email addresses: a verdict with its reason, what the domain is worth, and an advice.

Every call under \`/v1\`, other than \`/v1/openapi.json\`, needs the header \`X-API-Key\`. With a test key (\`mv_test_…\`) answers are made up, always the same for the
same address, and free.

Every failure, of unknown paths (404) and wrong methods (405, with \`Allow\`) too, has the body
\`{"error": {"code", "message"}}\`. Branch on \`code\`. Where several failures apply, the first of this order is answered: 404 for the
path, 405, 401, 429, 415, 413, 400, 422, 409 for the \`Idempotency-Key\`, 404 for a job, 402, 503.

Requests may hold unknown fields, which are ignored; \`X-Ignored-Fields\` names them. Answers hold the fields described and no others, and enumerations are
closed, unless they are said to be open.

A header whose value is not known, because a part of the service is down, is left out.`;

/** The API as an OpenAPI 3.1 document: the text that is served, and that stands in `docs/openapi.json`. */
export function describeApi(): string {
  const document = assembleDocument({
    info: {
      title: 'Mailvet',
      version: '1',
      summary: 'Email verification.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [
      { name: 'Verify', description: 'Addresses, while you wait.' },
      { name: 'Jobs', description: 'Up to 10,000 addresses, in the background.' },
      { name: 'Credits', description: 'What the account may ask for and pay with.' },
      { name: 'Guard', description: 'What guards in forms decided.' },
      { name: 'Operation', description: 'For whoever runs the service. No key.' },
    ],
    parts: [
      VERIFY_PART,
      JOBS_PART,
      BILLING_PART,
      GUARD_PART,
      AUTH_PART,
      RATE_LIMIT_PART,
      HEALTH_PART,
      DESCRIPTION_PART,
    ],
    keyHeaders: [...Object.keys(RATE_LIMIT_PART.headers), BALANCE_HEADER, ...Object.keys(AUTH_PART.headers)],
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}
