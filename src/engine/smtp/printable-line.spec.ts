import { printableLine } from './printable-line.js';

describe('printableLine', () => {
  it('keeps plain text', () => {
    expect(printableLine('550 5.1.1 boîte inconnue')).toBe('550 5.1.1 boîte inconnue');
  });

  it('escapes characters that could drive a terminal', () => {
    expect(printableLine('550 \u001b[2Jgone\u0007\u009b\u202e')).toBe(String.raw`550 \x1b[2Jgone\x07\x9b\u202e`);
  });

  it('cuts long lines', () => {
    expect(printableLine('x'.repeat(5_000))).toHaveLength(513);
  });
});
