import fc from 'fast-check';
import { parseAddress } from './parse-address.js';
import { suggestCorrection } from './suggest-correction.js';

describe('suggestCorrection', () => {
  it.each([
    ['Ann.Lee+x@gmial.com', 'ann.lee+x@gmail.com'],
    ['ann@yahoo', 'ann@yahoo.com'],
    ['ann@gmail,com', 'ann@gmail.com'],
    ['"ann lee"@hotmail.con', '"ann lee"@hotmail.com'],
    ['jörg@gmial.com', 'jörg@gmail.com'],
  ])('answers the whole corrected address for %s', (text, corrected) => {
    expect(suggestCorrection(text)).toBe(corrected);
  });

  it.each([
    'ann@gmail.com',
    'ann@example.com',
    'ann',
    '@gmial.com',
    'ann..lee@gmial.com',
    'ann@ｇｍａｉｌ.com',
    '',
    '@',
  ])('has none for %s', (text) => {
    expect(suggestCorrection(text)).toBeNull();
  });

  it('answers, for any text, only addresses', () => {
    const text = fc
      .tuple(fc.string(), fc.constantFrom('gmial.com', 'yahoo', 'x.cmo', 'gmail,com'))
      .map((parts) => parts.join('@'));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (any) => {
        const corrected = suggestCorrection(any);
        expect(corrected === null || parseAddress(corrected).ok).toBe(true);
      }),
    );
  });
});
