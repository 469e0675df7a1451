import { scrub } from './scrub.js';

const logged = (value: string) => scrub(JSON.stringify({ message: value }));

describe('scrub', () => {
  it.each([
    'no such user: Ada.Lovelace+tag@example.com',
    "Duplicate entry 'ada@example.com-1' for key 'x'",
    'RCPT TO:<ada@example.com>',
    'a quoted one: "ada lovelace"@example.com',
    'https://ada:lovelace@example.com/',
    'mysql://ada@db.example.com/mailvet',
    'adélaïde@bücher.example.com',
  ])('removes the address from %j', (text) => {
    expect(logged(text)).toContain('[address]');
    expect(logged(text)).not.toMatch(/lovelace|ada@|laïde/i);
  });

  it.each([
    ['mysql://app:lovelace@db.example.com:3306/mailvet', 'mysql://app:***@db.example.com:3306/mailvet'],
    ['mysql://user:p@ss/w:rd@db.example.com/mailvet', 'mysql://user:***@db.example.com/mailvet'],
    ['rediss://:lovelace@[2001:db8::1]:6379/0', 'rediss://:***@[2001:db8::1]:6379/0'],
    ['redis+sentinel://u:lovelace@h1:26379,h2:26379/main', 'redis+sentinel://u:***@h1:26379,h2:26379/main'],
    ['as mysql://user:password@host:port/database', 'as mysql://user:***@host:port/database'],
  ])('removes the password from %j', (text, shown) => {
    expect(logged(text)).toBe(JSON.stringify({ message: shown }));
  });

  it('removes keys with every prefix', () => {
    expect(logged('key mv_live_4fT9aZ4fT9aZ4fT9aZ4fT9aZ4fT9aZ4fT9aZ12 is odd')).toBe('{"message":"key [key] is odd"}');
    expect(logged(`acme_test_${'0123456789'.repeat(4)}`)).toBe('{"message":"[key]"}');
  });

  it.each([
    'at file:///srv/mailvet/node_modules/@nestjs/core/router/router-proxy.js:8:23',
    'slow statement of mailvet_test_database',
    '4 @ 5',
  ])('does not change %j', (text) => {
    expect(logged(text)).toBe(JSON.stringify({ message: text }));
  });

  it('keeps a line valid JSON', () => {
    expect(JSON.parse(logged('"a\\"b"@example.com, <x@example.com>, mv_live_01234567890123456789\n'))).toBeDefined();
  });

  it.each(['\n', '\r\n', '\t', '\b', '\u001b', '\\', '"', '/'])(
    'removes what follows %j, and no part of its escape',
    (before) => {
      const found = ['ada@example.com', 'mv_live_01234567890123456789', 'mysql://app:lovelace@db.example.com/x'];
      const shown = ['[address]', '[key]', 'mysql://app:***@db.example.com/x'];
      const messages = found.map((one) => (JSON.parse(logged(`no ${before}${one}`)) as { message: string }).message);
      expect(messages).toEqual(shown.map((one) => `no ${before}${one}`));
    },
  );

  it.each([
    ['x_', 'x_[key]'],
    ['X', '[key]'],
    ['key-', 'key-[key]'],
  ])('removes a key after %j', (before, shown) => {
    expect(logged(`${before}mv_test_01234567890123456789`)).toBe(JSON.stringify({ message: shown }));
  });
});
