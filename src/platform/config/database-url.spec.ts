import { parseDatabaseUrl } from './database-url.js';

describe('parseDatabaseUrl', () => {
  it('decodes percent-encoded parts', () => {
    expect(parseDatabaseUrl('mysql://us%2Fer:p%23%40ss@[::1]:3307/mail%20vet?ssl=true')).toEqual({
      host: '::1',
      port: 3307,
      user: 'us/er',
      password: 'p#@ss',
      database: 'mail vet',
      tls: true,
    });
  });

  it.each(['postgres://u:p@h/d', 'postgresql://h/d', 'sqlite:x.db', 'redis://h'])(
    'says what is supported for %s',
    (text) => {
      expect(() => parseDatabaseUrl(text)).toThrow('MySQL and MariaDB are supported');
    },
  );

  it.each([
    'mysql://u:p@h',
    'mysql://u:p@h/',
    'mysql://u:p@h/a/b',
    'mysql:///d',
    'mysql://u:%zz@h/d',
    'mysql://u:p@h/d?ssl=yes',
    'mysql://u:p@h/d?timezone=local',
    'mysql://u:p@h/d#x',
    'nonsense',
  ])('refuses %s', (text) => {
    expect(parseDatabaseUrl(text)).toBeNull();
  });
});
