import fc from 'fast-check';
import { encodeQuery, readAnswer } from './dns-message.js';
import { normalizeName } from './domain-name.js';

describe('normalizeName', () => {
  it.each([
    ['example.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['.', '.'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['0/25.2.0.192.in-addr.arpa', '0/25.2.0.192.in-addr.arpa'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('takes %s', (name, normalized) => {
    expect(normalizeName(name)).toBe(normalized);
  });

  it.each([
    '',
    '..',
    'a..com',
    '.com',
    'example.com..',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}aa`,
    'bücher.de',
    'a b.example',
    'a\\.b.example',
    'a\0.example',
    'a\r\n.example',
    'user@example.com',
    '*.example.com',
  ])('refuses %j', (name) => {
    expect(normalizeName(name)).toBeNull();
  });

  it('accepts only names that the encoder sends unchanged', () => {
    const name = fc.stringMatching(/^[a-z0-9_-]{1,70}(\.[a-z0-9_-]{1,63}){0,5}$/);
    fc.assert(
      fc.property(name, (text) => {
        const normalized = normalizeName(text);
        if (normalized === null) return;
        const question = { name: normalized, type: 'MX' as const, checkingDisabled: false };
        const echoed = encodeQuery(question, false);
        echoed.writeUInt16BE(0x8000, 2);
        expect(readAnswer(echoed, 0, question).kind).toBe('message');
      }),
    );
  });
});
