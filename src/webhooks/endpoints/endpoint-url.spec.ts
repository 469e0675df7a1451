import { readEndpointUrl } from './endpoint-url.js';

const read = (url: string, allowPrivateNetworks = false) => readEndpointUrl(url, { allowPrivateNetworks });
const ruleOf = (url: string, allowPrivateNetworks = false) => {
  const found = read(url, allowPrivateNetworks);
  return found.ok ? null : found.rule;
};

describe('the URL of an endpoint', () => {
  it('is https, with host, port, path and query', () => {
    expect(read('https://Hooks.Example.com:8443/a b?c=1')).toEqual({
      ok: true,
      href: 'https://hooks.example.com:8443/a%20b?c=1',
      target: { host: 'hooks.example.com', port: 8443, path: '/a%20b?c=1', plain: false },
    });
    expect(read('https://[2606:4700::1111]')).toMatchObject({
      target: { host: '2606:4700::1111', port: 443, path: '/' },
    });
  });

  it.each([
    ['nonsense', 'must be a URL'],
    ['/path', 'must be a URL'],
    ['http://hooks.example.com/', 'must begin with https://'],
    ['ftp://hooks.example.com/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['https://ann:secret@hooks.example.com/', 'must not contain credentials'],
    ['https://ann@hooks.example.com/', 'must not contain credentials'],
    ['https://:secret@hooks.example.com/', 'must not contain credentials'],
    ['https://hooks.example.com/#part', 'must not contain a fragment'],
    ['https://hooks.example.com/#', 'must not contain a fragment'],
    ['https://10.0.0.1/', 'must have a public address'],
    ['https://2130706433/', 'must have a public address'],
    ['https://0x7f.1/', 'must have a public address'],
    ['https://[::ffff:127.0.0.1]/', 'must have a public address'],
    ['https://169.254.169.254/latest', 'must have a public address'],
    ['https://hooks..example.com/', 'must have the name or the address of a host'],
    ["https://o'hara.example/", 'must have the name or the address of a host'],
    ['https://./', 'must have the name or the address of a host'],
    [`https://${'a'.repeat(64)}.example/`, 'must have the name or the address of a host'],
    [`https://${'a.'.repeat(130)}example/`, 'must have the name or the address of a host'],
    ['https://hooks.example.com:0/', 'must not have the port 0'],
    [`https://hooks.example.com/${'a'.repeat(2049 - 26)}`, 'must be a URL'],
    [`https://hooks.example.com?${'a'.repeat(2048 - 26)}`, 'must have at most 2048 characters'],
    [`https://hooks.example.com/${'é'.repeat(1000)}`, 'must have at most 2048 characters'],
  ])('%s is refused', (url, rule) => {
    expect(ruleOf(url)).toBe(rule);
  });

  it('has 2048 characters at most', () => {
    expect(ruleOf(`https://hooks.example.com/${'a'.repeat(2048 - 26)}`)).toBeNull();
  });

  it('has a host that a certificate can name', () => {
    expect(read('https://hooks.example.com./')).toMatchObject({ target: { host: 'hooks.example.com' } });
    expect(read('https://bücher.example/')).toMatchObject({ target: { host: 'xn--bcher-kva.example' } });
  });

  it('may be plain http in a laboratory, to this machine alone', () => {
    expect(read('http://127.0.0.2:8080/x', true)).toMatchObject({
      target: { host: '127.0.0.2', port: 8080, plain: true },
    });
    expect(read('http://localhost/', true)).toMatchObject({ target: { host: '127.0.0.1', port: 80 } });
    expect(read('http://[::1]/', true)).toMatchObject({ target: { host: '::1' } });
    expect(ruleOf('http://127.0.0.1/')).toBe('must begin with https://');
    expect(ruleOf('http://10.0.0.1/', true)).toBe('must begin with https://');
    expect(ruleOf('http://127.example.com/', true)).toBe('must begin with https://');
    expect(ruleOf('https://10.0.0.1/', true)).toBeNull();
  });
});
