import { printableLine } from './printable-line.js';

describe('printableLine', () => {
  it('keeps text as it is', () => {
    expect(printableLine('550 5.1.1 boîte inconnue')).toBe('550 5.1.1 boîte inconnue');
  });

  it('shows characters that could drive a terminal instead of sending them', () => {
    expect(printableLine('550 \u001b[2Jgone\u0007\u009b\u202e')).toBe(String.raw`550 \x1b[2Jgone\x07\x9b\u202e`);
  });

  it('cuts what nobody reads', () => {
    expect(printableLine('x'.repeat(5_000))).toHaveLength(513);
  });
});
