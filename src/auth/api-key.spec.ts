import { crc32 } from 'node:zlib';
import { encodeBase62 } from './base62.js';
import { generateApiKey, hashApiKey, lastFourOf, parseApiKey } from './api-key.js';

/** Checksums and hashes computed with Python's zlib and hashlib. */
const VECTORS = [
  {
    key: 'mv_live_000000000000000000000000000000003vWqmO',
    mode: 'live',
    sha256: 'b797c5481b128773cc02d4da96e490239294f9563febbc45bf136d1dc2ef7f58',
  },
  {
    key: 'mv_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz0sz1fz',
    mode: 'test',
    sha256: '3c459bb5b256b53ed3f74ac68418ea1621299d0220f651d45d973b7db3c69834',
  },
  {
    key: 'mv_live_0123456789ABCDEFGHIJKLMNOPQRSTUV0mWgtn',
    mode: 'live',
    sha256: 'e6f2d3266753b1f0c71c72c43d6851edb115500c6a5098eaee3fe6877d0e102f',
  },
] as const;
const [{ key: KEY }] = VECTORS;

describe('parseApiKey', () => {
  it.each(VECTORS)('reads $key', ({ key, mode }) => {
    expect(parseApiKey(key, 'mv')).toEqual({ mode });
  });

  it('reads a checksum that begins with zeros', () => {
    expect(parseApiKey('mv_live_cW7BFDvRHY1GYHyXGU8Pj6lN4fYNYZsp00Pvtp', 'mv')).toEqual({ mode: 'live' });
  });

  it('accepts only the prefix of this installation', () => {
    const key = 'acme_test_abcdefghijklmnopqrstuvwxyz0123451qH9hP';
    expect(parseApiKey(key, 'acme')).toEqual({ mode: 'test' });
    expect(parseApiKey(key, 'mv')).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['another word', 'secret'],
    ['the prefix alone', 'mv_live_'],
    ['another prefix', KEY.replace('mv_', 'mx_')],
    ['a mode that does not exist', KEY.replace('live', 'prod')],
    ['the other mode with this checksum', KEY.replace('live', 'test')],
    ['a letter too few', KEY.slice(0, -1)],
    ['a letter too many', `${KEY}0`],
    ['a space before it', ` ${KEY}`],
    ['a line break behind it', `${KEY}\n`],
    ['a character outside base62', KEY.replace('0000', '00-0')],
    ['a digit of another script', KEY.replace('0000', '00\u06600')],
    ['two keys, as a doubled header arrives', `${KEY}, ${KEY}`],
    ['a very long value', `mv_live_${'0'.repeat(100_000)}`],
  ])('refuses %s', (_, text) => {
    expect(parseApiKey(text, 'mv')).toBeNull();
  });

  it.each([
    ['a random letter too few', `mv_live_${'0'.repeat(31)}`],
    ['a random letter too many', `mv_live_${'0'.repeat(33)}`],
    ['a character outside base62', `mv_live_-${'0'.repeat(31)}`],
  ])('refuses %s, though the checksum is right', (_, body) => {
    expect(parseApiKey(body + encodeBase62(crc32(body), 6), 'mv')).toBeNull();
  });

  it('detects every mistyped letter', () => {
    for (let index = 'mv_live_'.length; index < KEY.length; index++) {
      const letter = KEY[index] === 'x' ? 'y' : 'x';
      expect(parseApiKey(KEY.slice(0, index) + letter + KEY.slice(index + 1), 'mv')).toBeNull();
    }
  });

  it('detects two swapped letters', () => {
    const key = VECTORS[2].key;
    for (let index = 'mv_live_'.length; index < key.length - 1; index++) {
      const swapped = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2);
      expect(parseApiKey(swapped, 'mv')).toBeNull();
    }
  });
});

describe('generateApiKey', () => {
  it('generates keys of the documented form', () => {
    expect(generateApiKey('mv', 'live', (size) => new Uint8Array(size))).toBe(KEY);
    expect(generateApiKey('mv', 'test')).toMatch(/^mv_test_[0-9A-Za-z]{38}$/);
  });

  it('generates distinct keys that parseApiKey accepts', () => {
    const keys = new Set(Array.from({ length: 200 }, () => generateApiKey('mv', 'test')));
    expect(keys.size).toBe(200);
    for (const key of keys) expect(parseApiKey(key, 'mv')).toEqual({ mode: 'test' });
  });
});

it.each(VECTORS)('stores the SHA-256 and the last four characters of $key', ({ key, sha256 }) => {
  expect(hashApiKey(key)).toBe(sha256);
  expect(key.endsWith(lastFourOf(key))).toBe(true);
  expect(lastFourOf(key)).toHaveLength(4);
});
