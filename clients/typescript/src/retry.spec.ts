import { ConnectionError, errorOf } from './errors.js';
import { type Repeatable, waitBeforeRetry } from './retry.js';

const limits = { retries: 3, maxWaitMs: 60_000 };
const answered = (status: number, code: string, retryAfterMs: number | null = null) =>
  errorOf({ status, code, message: 'No.', requestId: null, retryAfterMs, creditsRequired: null });
interface Given {
  readonly tries?: number;
  readonly random?: number;
  readonly repeatable?: Repeatable;
}
const wait = (error: unknown, { tries = 1, random = 0, repeatable = 'yes' }: Given = {}) =>
  waitBeforeRetry(error, { tries, repeatable, limits, random });

it.each([
  ['a broken connection', new ConnectionError('broken'), 250],
  ['a rate limit', answered(429, 'rate_limit_exceeded', 2000), 2000],
  ['a limit of the plan that ends', answered(429, 'quota_exceeded', 1000), 1000],
  ['a failure of the service', answered(503, 'verify_unavailable', 5000), 5000],
  ['a 503 without a time', answered(503, 'unexpected_answer'), 250],
  ['a proxy that gave up', answered(504, 'unexpected_answer'), 250],
  ['a first try that still runs', answered(409, 'idempotency_conflict', 1000), 1000],
])('waits after %s', (_, error, ms) => {
  expect(wait(error)).toBe(ms);
});

it.each([
  ['a limit of the plan without an end', answered(429, 'quota_exceeded')],
  ['a wait longer than the limit', answered(429, 'quota_exceeded', 60_001)],
  ['another content under the same key', answered(409, 'idempotency_conflict')],
  ['a request that is wrong', answered(422, 'validation_failed')],
  ['a fault of the service', answered(500, 'internal_error')],
  ['a mistake of the program', new TypeError('no')],
])('gives up after %s', (_, error) => {
  expect(wait(error)).toBeNull();
});

it('repeats a call that must not be done twice only where it was refused', () => {
  const repeatable = 'if-refused';
  expect(wait(new ConnectionError('broken'), { repeatable })).toBeNull();
  expect(wait(answered(502, 'unexpected_answer'), { repeatable })).toBeNull();
  expect(wait(answered(503, 'service_unavailable', 1000), { repeatable })).toBe(1000);
});

it('waits longer each time, and not at the same moment as others', () => {
  const error = new ConnectionError('broken');
  expect([1, 2, 3, 4].map((tries) => wait(error, { tries }))).toEqual([250, 500, 1000, null]);
  expect(wait(error, { random: 1 })).toBe(500);
  expect(wait(answered(429, 'rate_limit_exceeded', 4000), { random: 1 })).toBe(5000);
});
