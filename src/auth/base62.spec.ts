import { encodeBase62, randomBase62 } from './base62.js';

describe('encodeBase62', () => {
  it.each([
    [0, 6, '000000'],
    [61, 6, '00000z'],
    [62, 6, '000010'],
    [2 ** 32 - 1, 6, '4gfFC3'],
    [3843, 1, 'zz'],
  ])('writes %d in at least %d characters as %s', (value, length, text) => {
    expect(encodeBase62(value, length)).toBe(text);
  });
});

describe('randomBase62', () => {
  it('discards bytes that would make some letters more likely than others', () => {
    const batches = [
      [255, 248, 247],
      [0, 61],
    ];
    expect(randomBase62(3, () => Uint8Array.from(batches.shift() ?? []))).toBe('z0z');
  });

  it('uses every letter equally often over all bytes', () => {
    const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);
    const counts = new Map<string, number>();
    for (const letter of randomBase62(248, () => everyByte)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    expect(new Set(counts.values())).toEqual(new Set([4]));
  });
});
