import { parseRedisUrl } from './redis-url.js';

describe('parseRedisUrl', () => {
  it.each(['redis://127.0.0.1', 'redis://redis:6380/3', 'rediss://app:s%40cret@redis.example.com:6380'])(
    'takes one server: %s',
    (url) => expect(parseRedisUrl(url)).toEqual({ kind: 'server', url }),
  );

  it('takes the name of a primary and sentinels that know it', () => {
    const login = { user: null, password: null, tls: false };
    expect(parseRedisUrl('redis+sentinel://a.example.com,b.example.com:26380,[::1]:26381/mailvet')).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'a.example.com', port: 26_379 },
        { host: 'b.example.com', port: 26_380 },
        { host: '::1', port: 26_381 },
      ],
      name: 'mailvet',
      number: 0,
      sentinelUser: null,
      sentinelPassword: null,
      ...login,
    });
    const full =
      'rediss+sentinel://app:s%40cret@a.example.com/my%20primary/4?sentinel_user=s&sentinel_password=p%2Fw%26';
    expect(parseRedisUrl(full)).toEqual({
      kind: 'sentinel',
      sentinels: [{ host: 'a.example.com', port: 26_379 }],
      name: 'my primary',
      number: 4,
      sentinelUser: 's',
      sentinelPassword: 'p/w&',
      user: 'app',
      password: 's@cret',
      tls: true,
    });
  });

  it('takes hosts of a cluster', () => {
    expect(parseRedisUrl('redis+cluster://a.example.com,10.0.0.2:6380/')).toEqual({
      kind: 'cluster',
      hosts: [
        { host: 'a.example.com', port: 6379 },
        { host: '10.0.0.2', port: 6380 },
      ],
      user: null,
      password: null,
      tls: false,
    });
    expect(parseRedisUrl('rediss+cluster://:secret@a.example.com')).toMatchObject({
      user: null,
      password: 'secret',
      tls: true,
    });
  });

  it.each([
    '',
    'hunter2',
    'redis://',
    'redis://host/path',
    'redis://host/0?ssl=true',
    'redis://host/0?db=3',
    'redis://:pass#word@host',
    'redis://host/#0',
    'redis://:100%@host',
    'redis+other://a',
    'redis+cluster://',
    'redis+cluster://a,,b',
    'redis+cluster://a:0',
    'redis+cluster://a:65536',
    'redis+cluster://user:pass@word@a',
    'redis+cluster://%zz@a',
    'redis+cluster://a?x=1',
    'redis+sentinel://a/name/x',
    'redis+sentinel://a/name?other=1',
  ])('refuses %p', (text) => {
    let parsed: unknown = null;
    try {
      parsed = parseRedisUrl(text);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
    expect(parsed).toBeNull();
  });

  it.each([
    ['mysql://app:hunter2@a/mailvet', /^names another kind of server: must be redis:/],
    ['redis://app:hunter2@a:6379,b:6379', /^names several hosts, which sentinels or a cluster have/],
    ['redis+sentinel://app:hunter2@a:26379,b:26379', /^must name the primary after the sentinels/],
    ['redis+cluster://app:hunter2@a/3', /a cluster has no numbered databases$/],
  ])('says what is wrong with %s, without the password', (text, said) => {
    expect(() => parseRedisUrl(text)).toThrow(said);
    expect(() => parseRedisUrl(text)).not.toThrow(/hunter2/);
  });
});
