import { sandboxDomain } from '../sandbox/sandbox-domain.js';

const found = (summary: string, domain: string) => ({ summary, value: sandboxDomain(domain) });

/** Example requests and answers of `POST /v1/domains/lookup` in the API document. Answers are the sandbox's. */
export const LOOKUP_REQUESTS = { domain: { summary: 'A domain', value: { domain: 'ordinary.example' } } };
export const LOOKUP_ANSWERS = {
  ordinary: found('An ordinary domain', 'ordinary.example'),
  unknown: found('Parts of it could not be found out', 'unknown.example'),
};
