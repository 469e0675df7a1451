import { CONNECTION_LIMITS } from './limits.js';

it('the limits of connections are those of docs/limits.md', () => {
  expect(CONNECTION_LIMITS).toEqual({
    connections: 10_000,
    requests: 4000,
    waiting: 1000,
    waitingOfAll: 10_000,
    leftoverMs: 10_000,
    leftoverOctets: 64 * 1024 * 1024,
    lingerMs: 1000,
  });
});
