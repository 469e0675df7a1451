import type { Job } from './job.js';
import { retryAfterSeconds, toJobSummary } from './job-head.js';

const createdAt = new Date('2026-11-28T10:00:00Z');

it.each([
  ['just submitted, small', 1, 0, 0, 2],
  ['just submitted, of 5,000', 5000, 0, 0, 5],
  ['too young to have shown its pace', 5000, 0, 1.5, 5],
  ['at a pace that leaves 20 s', 10_000, 3334, 10, 20],
  ['as good as done', 10_000, 9999, 10, 2],
  ['of which nothing is done yet: after as long again', 10_000, 0, 5, 5],
  ['that waits for the last few for long: seldom', 1000, 985, 300, 30],
  ['that has taken hours: once a minute', 1000, 985, 20_000, 60],
  ['that a clock behind the database says is to come', 1000, 0, -5, 2],
])('a job %s (%d entries, %d done after %d s) is worth a look after %d s', (_, total, done, elapsed, seconds) => {
  const now = new Date(createdAt.getTime() + elapsed * 1000);
  expect(retryAfterSeconds({ sandbox: false, total, done, createdAt }, now)).toBe(seconds);
});

it('a sandbox job suggests a poll after 2 s', () => {
  expect(retryAfterSeconds({ sandbox: true, total: 10_000, done: 0, createdAt }, createdAt)).toBe(2);
});

it('a job has no counts before it is completed, also where they are on record', () => {
  const counts = { valid: 1, invalid: 0, catch_all: 0, disposable: 0, role: 0, unknown: 0, error: 0 };
  const job = { id: 'a', total: 1, done: 1, createdAt, expiresAt: createdAt, name: null, counts } as unknown as Job;
  expect(toJobSummary({ ...job, status: 'processing' }).counts).toBeNull();
  expect(toJobSummary({ ...job, status: 'completed' }).counts).toEqual(counts);
});
