import type { Attempt } from './delivery-sender.js';
import { judgeAttempt } from './judge-attempt.js';

const answered = (status: number, retryAfter: string | null = null): Attempt => ({
  kind: 'answered',
  status,
  retryAfter,
  answer: '',
  tookMs: 1,
});
const unanswered = (ours: boolean): Attempt => ({ kind: 'unanswered', fault: 'no_answer', ours, tookMs: 1 });

describe('an attempt', () => {
  it.each([200, 201, 202, 204, 299])('with status %d is a delivery', (status) => {
    expect(judgeAttempt(answered(status), 3)).toEqual({ outcome: 'delivered', next: 'delivered', blames: 'nobody' });
  });

  it.each([101, 199, 300, 301, 302, 304, 307, 400, 401, 404, 429, 500, 503])('with status %d is repeated', (status) => {
    const { outcome, next, blames } = judgeAttempt(answered(status), 1);
    expect([outcome, blames]).toEqual(['retried', 'endpoint']);
    expect(next).toBeGreaterThanOrEqual(5000);
  });

  it('with status 410 is the last one', () => {
    expect(judgeAttempt(answered(410), 1)).toEqual({ outcome: 'gone', next: 'failed', blames: 'endpoint' });
  });

  it('is repeated when the receiver says', () => {
    expect(judgeAttempt(answered(503, '3600'), 1).next).toBeGreaterThanOrEqual(3_600_000);
  });

  it('without an answer is not the fault of the endpoint where we could not send', () => {
    expect(judgeAttempt(unanswered(true), 1)).toMatchObject({ outcome: 'retried', blames: 'service' });
    expect(judgeAttempt(unanswered(false), 1)).toMatchObject({ outcome: 'retried', blames: 'endpoint' });
  });

  it('fails for good after the tenth', () => {
    expect(judgeAttempt(answered(500), 9)).toMatchObject({ outcome: 'retried' });
    expect(judgeAttempt(answered(500), 10)).toEqual({ outcome: 'failed', next: 'failed', blames: 'endpoint' });
    expect(judgeAttempt(answered(500), 14)).toMatchObject({ outcome: 'failed' });
  });
});
