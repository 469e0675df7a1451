import { directFault, socksFault } from './connection-faults.js';
import { ConnectTimeout } from './open-socket.js';

const error = (code: string) => Object.assign(new Error(code), { code });
const HOST = '192.0.2.1';
const unasked = () => Promise.reject(new Error('the route does not matter here'));

describe('directFault', () => {
  it.each([
    ['ECONNREFUSED', 'refused'],
    ['ETIMEDOUT', 'timeout'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ECONNRESET', 'reset'],
  ])('blames the mail host for %s', async (code, why) => {
    expect(await directFault(error(code), HOST, unasked)).toMatchObject({ blame: 'theirs', why });
  });

  it.each(['EADDRNOTAVAIL', 'EMFILE', 'EACCES', 'EPERM', 'EINVAL', 'EAFNOSUPPORT', 'ENOBUFS', 'EWHATEVER'])(
    'blames ourselves for %s',
    async (code) => {
      expect(await directFault(error(code), HOST, unasked)).toMatchObject({ blame: 'ours', why: 'local' });
    },
  );

  it('blames ourselves for this address alone if we have no IPv6', async () => {
    for (const code of ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EACCES'])
      expect(await directFault(error(code), '2001:db8::1', unasked)).toMatchObject({
        blame: 'ours',
        why: 'unreachable',
      });
  });

  it('blames us for an unreachable network only if we have no route', async () => {
    expect(await directFault(error('ENETUNREACH'), HOST, () => Promise.resolve(false))).toMatchObject({
      blame: 'ours',
    });
    expect(await directFault(error('ENETUNREACH'), HOST, () => Promise.resolve(true))).toMatchObject({
      blame: 'theirs',
    });
  });

  it('blames the mail host for silence', async () => {
    expect(await directFault(new ConnectTimeout(), HOST, unasked)).toMatchObject({ blame: 'theirs', why: 'timeout' });
  });
});

describe('socksFault', () => {
  it.each([
    ['Socks5 proxy rejected connection - ConnectionRefused', 'refused'],
    ['Socks5 proxy rejected connection - HostUnreachable', 'unreachable'],
    ['Socks5 proxy rejected connection - TTLExpired', 'timeout'],
  ])('blames the mail host for "%s"', (message, why) => {
    expect(socksFault(message, true)).toMatchObject({ blame: 'theirs', why });
  });

  it.each(['Socks5 Authentication failed', 'anything else'])('blames the proxy for "%s"', (message) => {
    expect(socksFault(message, true)).toMatchObject({ blame: 'ours', why: 'proxy' });
  });

  it.each(['Failure', 'NotAllowed', 'NetworkUnreachable', 'AddressNotSupported', 'undefined'])(
    'blames the proxy, for this address alone, if it refuses the connection: %s',
    (word) => {
      const message = `Socks5 proxy rejected connection - ${word}`;
      expect(socksFault(message, true)).toMatchObject({ blame: 'ours', why: 'unreachable' });
    },
  );

  it('blames the proxy if it hangs up, for this address alone if it had accepted our request', () => {
    expect(socksFault('Socket closed', false)).toMatchObject({ blame: 'ours', why: 'proxy' });
    expect(socksFault('Socket closed', true)).toMatchObject({ blame: 'ours', why: 'unreachable' });
  });

  it('blames the side that is silent', () => {
    expect(socksFault('Proxy connection timed out', false)).toMatchObject({ blame: 'ours', why: 'proxy' });
    expect(socksFault('Proxy connection timed out', true)).toMatchObject({ blame: 'theirs', why: 'timeout' });
  });
});
