import { hashWords } from './hash-words.js';

describe('hashWords', () => {
  it('are the SHA-256 of the text: `printf %s jane | sha256sum`', () => {
    const hex = hashWords('jane').map((word) => word.toString(16).padStart(8, '0'));
    expect(hex.join('')).toBe('81f8f6dde88365f3928796ec7aa53f72820b06db8664f5fe76a7eb13e24546a2');
  });

  it('hash the UTF-8 octets', () => {
    expect(hashWords('jürgen')[0]).not.toBe(hashWords('jurgen')[0]);
    expect(hashWords('')[0]).toBe(0xe3b0c442);
  });
});
