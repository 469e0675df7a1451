import { rateLimitHeaders } from './rate-limit-headers.js';

it('writes the three headers of the contract and the two of the draft', () => {
  const decision = { allowed: true, limit: 300, remaining: 150, resetAt: 1_795_824_030, nextTokenInSeconds: 1 };
  expect(rateLimitHeaders(decision)).toEqual([
    ['X-RateLimit-Limit', '300'],
    ['X-RateLimit-Remaining', '150'],
    ['X-RateLimit-Reset', '1795824030'],
    ['RateLimit-Policy', '"default";q=300;w=60'],
    ['RateLimit', '"default";r=150;t=1'],
  ]);
});
