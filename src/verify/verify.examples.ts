import { sandboxBatch, sandboxSingle } from './sandbox/sandbox.js';

const single = (summary: string, email: string) => ({ summary, value: sandboxSingle(email, 'standard').body });
const MIXED = ['valid@example.com', 'role@example.com', 'no address', 'servererror@example.com'];

/** Example requests and responses in the API document. Responses are the sandbox's. */
export const SINGLE_REQUESTS = { standard: { summary: 'One address', value: { email: 'valid@example.com' } } };
export const SINGLE_RESULTS = {
  valid: single('The mailbox accepts', 'valid@example.com'),
  invalid: single('No such mailbox', 'invalid@example.com'),
  pending: single('The mail host is being asked', 'pending@example.com'),
  bad_syntax: single('Not an address', 'not an address'),
};
export const BATCH_REQUESTS = { mixed: { summary: 'A few addresses', value: { emails: MIXED } } };
export const BATCH_RESULTS = {
  mixed: { summary: 'Results and errors of entries', value: sandboxBatch(MIXED, 'standard').body },
};
