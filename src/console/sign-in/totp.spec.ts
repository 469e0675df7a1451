import { newTotpSecret, stepOfCode, toBase32, totpCode, totpUri } from './totp.js';

const SECRET = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, the last six of its eight digits.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('makes the code of the standard at second %s', (second, code) => {
  expect(totpCode(SECRET, Math.floor(second / 30))).toBe(code);
  expect(stepOfCode(SECRET, code, second * 1000, null)).toBe(Math.floor(second / 30));
});

it('takes the code of the step before and after, and of no other', () => {
  const now = 1_234_567_890_000;
  const present = Math.floor(now / 30_000);
  const taken = [-2, -1, 0, 1, 2].filter((by) => stepOfCode(SECRET, totpCode(SECRET, present + by), now, null));
  expect(taken).toEqual([-1, 0, 1]);
});

it('takes a code once, and none that is older', () => {
  const now = 1_234_567_890_000;
  const present = Math.floor(now / 30_000);
  const taken = (usedUp: number) =>
    [-1, 0, 1].filter((by) => stepOfCode(SECRET, totpCode(SECRET, present + by), now, usedUp));
  expect(taken(present - 1)).toEqual([0, 1]);
  expect(taken(present)).toEqual([1]);
  expect(taken(present + 1)).toEqual([]);
});

it.each(['', '12345', '1234567', '12345a', ' 287082', '２８７０８２'])('takes no %j', (text) => {
  expect(stepOfCode(SECRET, text, 59_000, null)).toBeNull();
});

// RFC 4648, 10.
it.each([
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('writes %s in base32', (text, written) => {
  expect(toBase32(Buffer.from(text))).toBe(written);
});

it('names the product and the user in the URI', () => {
  const uri = new URL(totpUri(SECRET, 'ada+x@example.com'));
  expect(decodeURIComponent(uri.pathname)).toBe('/Mailvet:ada+x@example.com');
  expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(uri.searchParams.get('issuer')).toBe('Mailvet');
  expect(newTotpSecret()).toHaveLength(20);
});
