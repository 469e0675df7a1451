import { parseDatabaseUrl } from './database-url.js';

describe('parseDatabaseUrl', () => {
  it('decodes percent-encoded parts', () => {
    expect(parseDatabaseUrl('mysql://us%2Fer:p%23%40ss@[::1]:3307/mail%20vet?ssl=true')).toEqual({
      host: '::1',
      port: 3307,
      others: [],
      user: 'us/er',
      password: 'p#@ss',
      database: 'mail vet',
      tls: true,
    });
  });

  it('reads further hosts, each with its own port', () => {
    expect(parseDatabaseUrl('mysql://u:p@one.example.com:3307,two.example.com,[::1]:3308/d')).toMatchObject({
      host: 'one.example.com',
      port: 3307,
      others: [
        { host: 'two.example.com', port: 3306 },
        { host: '::1', port: 3308 },
      ],
      user: 'u',
      password: 'p',
      database: 'd',
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
    'mysql://u:p@h1,/d',
    'mysql://u:p@h1,,h2/d',
    'mysql://u:p@h1,h2:x/d',
    'mysql://u:p@h1,h1:3306/d',
    'mysql://u:p@h1,h2',
    'mysql://u:p@1,2,3,4,5,6,7,8,9,10/d',
    'nonsense',
  ])('refuses %s', (text) => {
    expect(parseDatabaseUrl(text)).toBeNull();
  });
});
