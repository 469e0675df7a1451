import { createHmac, randomBytes } from 'node:crypto';
import { hmacSha256 } from './hmac-sha256.js';

// RFC 4231, cases 1, 2 and 6.
it.each([
  [Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    Buffer.from('Jefe'),
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    Buffer.alloc(131, 0xaa),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
])("matches the standard's vectors", (key, text, mac) => {
  expect(hmacSha256(key)(text)).toBe(mac);
});

it('matches OpenSSL for every length of key and text', () => {
  for (const keyOctets of [0, 1, 32, 63, 64, 65, 200]) {
    const key = randomBytes(keyOctets);
    const mac = hmacSha256(key);
    for (const length of [0, 1, 30, 318, 319, 320, 321, 322, 1000, 5]) {
      for (const letter of ['a', 'ü', '好', '😀']) {
        const text = letter.repeat(length);
        expect(mac(text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
      }
    }
  }
});
