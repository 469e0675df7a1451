import { parseDisplayName } from './display-name.js';

describe('parseDisplayName', () => {
  it.each([
    ['Acme', 'Acme'],
    ['  Acme & Söhne  ', 'Acme & Söhne'],
    ['日本 株式会社', '日本 株式会社'],
    ['👩‍💻', '👩‍💻'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['😀'.repeat(100), '😀'.repeat(100)],
  ])('takes %j', (text, name) => {
    expect(parseDisplayName(text)).toBe(name);
  });

  it.each(['', '   ', 'x'.repeat(101), 'two\nlines', 'nul\0', '\u001b[31mred', 'a\u202Eb', '\uD800'])(
    'refuses %j',
    (text) => {
      expect(parseDisplayName(text)).toBeNull();
    },
  );
});
