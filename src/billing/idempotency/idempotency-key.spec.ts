import { parseIdempotencyKey, scopeHash, type IdempotencyScope } from './idempotency-key.js';

it.each(['a', 'A b', '~'.repeat(255), '"quoted"'])('takes %j as a key', (text) => {
  expect(parseIdempotencyKey(text)).toBe(text);
});

it.each(['', 'x'.repeat(256), 'schlüssel', 'tab\tbed', 'new\nline'])('refuses %j', (text) => {
  expect(parseIdempotencyKey(text)).toBeNull();
});

it('refuses several keys', () => {
  expect(parseIdempotencyKey(['a', 'b'])).toBeNull();
});

describe('a scope', () => {
  const scope: IdempotencyScope = { accountId: '1', mode: 'live', method: 'POST', path: '/v1/verify/single', key: 'k' };

  it.each<[keyof IdempotencyScope, string]>([
    ['accountId', '2'],
    ['mode', 'test'],
    ['method', 'PUT'],
    ['path', '/v1/verify/batch'],
    ['key', 'K'],
  ])('is another one with another %s', (part, value) => {
    expect(scopeHash({ ...scope, [part]: value })).not.toEqual(scopeHash(scope));
  });

  it('differs even if the parts join to the same text', () => {
    expect(scopeHash({ ...scope, path: '/a', key: 'b' })).not.toEqual(scopeHash({ ...scope, path: '/', key: 'ab' }));
    expect(scopeHash({ ...scope })).toEqual(scopeHash(scope));
  });
});
