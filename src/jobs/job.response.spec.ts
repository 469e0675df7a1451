import { retryAfterSeconds } from './job.response.js';

it.each([
  [1, 0, 2],
  [500, 0, 5],
  [10_000, 0, 60],
  [10_000, 9000, 10],
  [10_000, 10_000, 2],
])('of %d entries with %d done is worth a look after %d s', (total, done, seconds) => {
  expect(retryAfterSeconds({ sandbox: false, total, done })).toBe(seconds);
});
