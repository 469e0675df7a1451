import { createHash } from 'node:crypto';
import { requestHash } from './request-hash.js';

it('differs for different bodies, and ignores white space', async () => {
  expect(await requestHash(JSON.parse('{ "email" : "a" }'))).toEqual(await requestHash({ email: 'a' }));
  expect(await requestHash({ email: 'a' })).not.toEqual(await requestHash({ email: 'b' }));
  expect(await requestHash({ email: 'a' })).not.toEqual(await requestHash({ email: 'a', mode: 'quick' }));
  expect(await requestHash(undefined)).toHaveLength(32);
});

it.each<[string, object]>([
  ['alone', { async: null }],
  ['first', { mode: null, email: 'a' }],
  ['last', { email: 'a', mode: null, max_age: null }],
])('is the same whether a field is null or left out: %s', async (_, body) => {
  const leftOut = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  expect(await requestHash(body)).toEqual(await requestHash(leftOut));
  expect(await requestHash({ ...body, async: false })).not.toEqual(await requestHash(leftOut));
});

const list = (count: number): string[] => Array.from({ length: count }, (_, i) => `user-${i}@company.example`);

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'text'],
  ['a list', [1, 2]],
  ['an empty object', {}],
  ['fields', { a: 1, 'b"': [], c: [null, 'x', {}], d: { e: [1], f: null }, g: false }],
  ['a field that is a prototype elsewhere', JSON.parse('{"__proto__":[1],"a":2}')],
  ['500 entries', { emails: list(500) }],
  ['501 entries', { emails: list(501), mode: 'standard' }],
  ['10,000 entries', { emails: list(10_000) }],
])('is that of the JSON of %s', async (_, body) => {
  const whole = createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest();
  expect(await requestHash(body)).toEqual(whole);
});

it('yields to other work between pieces of a large body', async () => {
  let turns = 0;
  let hashing = true;
  const count = (): void => {
    turns++;
    if (hashing) setImmediate(count);
  };
  setImmediate(count);
  await requestHash({ emails: list(10_000).map((email) => email + 'x'.repeat(400)) });
  hashing = false;
  expect(turns).toBeGreaterThan(5);
});
