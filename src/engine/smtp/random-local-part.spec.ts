import { randomLocalPart } from './random-local-part.js';

describe('randomLocalPart', () => {
  it('is made of letters and digits a person might use', () => {
    expect(randomLocalPart()).toMatch(/^[a-z]{18}\d{3}$/);
  });

  it('uses only the given source of randomness', () => {
    expect(randomLocalPart(() => 0)).toBe('bababababababababa000');
    expect(randomLocalPart((n) => n - 1)).toBe('zuzuzuzuzuzuzuzuzu999');
  });

  it('is never the same twice', () => {
    const many = new Set(Array.from({ length: 10_000 }, () => randomLocalPart()));
    expect(many.size).toBe(10_000);
  });
});
