import { scrub } from './scrub.js';

const logged = (value: string) => scrub(JSON.stringify({ message: value }));

describe('scrub', () => {
  it.each([
    'no such user: Ada.Lovelace+tag@example.com',
    "Duplicate entry 'ada@example.com-1' for key 'x'",
    'RCPT TO:<ada@example.com>',
    'a quoted one: "ada lovelace"@example.com',
    'mysql://app:lovelace@db.example.com/mailvet',
    'adélaïde@bücher.example.com',
  ])('takes the address out of %j', (text) => {
    expect(logged(text)).toContain('[address]');
    expect(logged(text)).not.toMatch(/lovelace|ada@|laïde/i);
  });

  it('takes keys out, of every prefix', () => {
    expect(logged('key mv_live_4fT9aZ4fT9aZ4fT9aZ4fT9aZ4fT9aZ4fT9aZ12 is odd')).toBe('{"message":"key [key] is odd"}');
    expect(logged(`acme_test_${'0123456789'.repeat(4)}`)).toBe('{"message":"[key]"}');
  });

  it.each([
    'at file:///srv/mailvet/node_modules/@nestjs/core/router/router-proxy.js:8:23',
    'slow statement of mailvet_test_database',
    '4 @ 5',
  ])('leaves %j as it is', (text) => {
    expect(logged(text)).toBe(JSON.stringify({ message: text }));
  });

  it('leaves a line valid JSON', () => {
    expect(JSON.parse(logged('"a\\"b"@example.com, <x@example.com>, mv_live_01234567890123456789\n'))).toBeDefined();
  });
});
