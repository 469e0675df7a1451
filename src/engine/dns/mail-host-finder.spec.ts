import {
  a,
  aaaa,
  findMailHosts,
  mx,
  nodata,
  nxdomain,
  resolverDown,
  servfail,
  type Zone,
} from '../../../test/factories/mail-zone.js';

const thirteen = Array.from({ length: 13 }, (_, index): [number, string] => [index + 1, `mx${index + 1}.example.com`]);

describe('a domain with MX records', () => {
  it('returns its hosts by preference, with their addresses', async () => {
    const { finding } = await findMailHosts({
      'MX example.com': mx([20, 'b.example.com'], [10, 'a.example.com']),
      'A a.example.com': a('8.8.8.8', '8.8.4.4'),
      'A b.example.com': a('9.9.9.9'),
    });
    expect(finding).toEqual({
      kind: 'found',
      hosts: [
        { name: 'a.example.com', preference: 10, addresses: ['8.8.8.8', '8.8.4.4'] },
        { name: 'b.example.com', preference: 20, addresses: ['9.9.9.9'] },
      ],
      exchanges: ['a.example.com', 'b.example.com'],
      primary: 'a.example.com',
      ttlSeconds: 120,
    });
  });

  it('names the same primary whatever the order of equal hosts', async () => {
    for (const random of [() => 0, () => 0.99, Math.random]) {
      const { finding } = await findMailHosts(
        {
          'MX example.com': mx([10, 'c.example.com'], [10, 'b.example.com'], [20, 'a.example.com']),
          'A a.example.com': a('8.8.8.8'),
          'A b.example.com': a('8.8.8.8'),
          'A c.example.com': a('8.8.8.8'),
        },
        { random },
      );
      expect(finding).toMatchObject({ primary: 'b.example.com' });
    }
  });

  it('looks up five of thirteen hosts and names all', async () => {
    const zone = Object.fromEntries(thirteen.map(([, name]) => [`A ${name}`, a('8.8.8.8')]));
    const { finding, asked } = await findMailHosts({ ...zone, 'MX example.com': mx(...thirteen) });
    expect(finding).toMatchObject({ kind: 'found', exchanges: thirteen.map(([, name]) => name) });
    expect(finding.kind === 'found' && finding.hosts.map(({ preference }) => preference)).toEqual([1, 2, 3, 4, 5]);
    expect(asked).toHaveLength(6);
  });

  it('skips hosts that do not exist', async () => {
    const { finding } = await findMailHosts({ 'MX example.com': mx(...thirteen), 'A mx12.example.com': a('8.8.8.8') });
    expect(finding).toMatchObject({ kind: 'found', primary: 'mx12.example.com', hosts: [{ preference: 12 }] });
  });

  it('leaves out targets to which we may not or cannot connect', async () => {
    const { finding, asked, notes } = await findMailHosts({
      'MX example.com': mx(
        [1, 'localhost'],
        [2, '192.0.2.1'],
        [3, 'private.example.com'],
        [4, 'metadata.example.com'],
        [5, 'mapped.example.com'],
        [6, 'odd\\.name.example.com'],
        [7, 'dangling.example.com'],
        [8, 'good.example.com'],
      ),
      'A localhost': a('127.0.0.1'),
      'A private.example.com': a('10.0.0.1', '192.168.1.1'),
      'A metadata.example.com': a('169.254.169.254'),
      'AAAA mapped.example.com': aaaa('::ffff:7f00:1'),
      'A dangling.example.com': nxdomain,
      'A good.example.com': a('127.0.0.1', '8.8.8.8'),
    });
    expect(finding).toMatchObject({
      kind: 'found',
      hosts: [{ name: 'good.example.com', addresses: ['8.8.8.8'] }],
      primary: 'good.example.com',
    });
    expect(finding.kind === 'found' && finding.exchanges).toHaveLength(8);
    expect(asked).not.toContain('A localhost');
    expect(notes).toContain('private.example.com may not be connected to: 10.0.0.1, 192.168.1.1');
  });

  it('keeps private addresses in a lab', async () => {
    const zone = { 'MX example.com': mx([1, 'lab.example.com']), 'A lab.example.com': a('127.0.0.9') };
    const { finding } = await findMailHosts(zone, { allowPrivateNetworks: true });
    expect(finding).toMatchObject({ kind: 'found', hosts: [{ addresses: ['127.0.0.9'] }] });
  });

  it('has no mail host if no target has a public address', async () => {
    const { finding } = await findMailHosts({
      'MX example.com': mx([1, 'localhost'], [2, '192.0.2.1'], [3, 'gone.example.com'], [4, 'empty.example.com']),
      'A gone.example.com': nxdomain,
    });
    expect(finding).toEqual({ kind: 'none', why: 'no_public_address', ttlSeconds: 20 });
  });

  it('never falls back to the address of the domain while MX records exist', async () => {
    const { finding, asked } = await findMailHosts({
      'MX example.com': mx([1, 'gone.example.com']),
      'A gone.example.com': nxdomain,
      'A example.com': a('8.8.8.8'),
    });
    expect(finding).toMatchObject({ kind: 'none', why: 'no_public_address' });
    expect(asked).not.toContain('A example.com');
  });

  it('concludes nothing if an address look-up fails', async () => {
    const { finding } = await findMailHosts({
      'MX example.com': mx([1, 'gone.example.com'], [2, 'broken.example.com']),
      'A gone.example.com': nxdomain,
      'A broken.example.com': servfail,
    });
    expect(finding).toEqual({
      kind: 'broken',
      why: 'the addresses of its mail hosts could not be looked up: servfail',
    });
  });

  it('concludes nothing if only the IPv6 look-up fails', async () => {
    const { finding } = await findMailHosts({
      'MX example.com': mx([1, 'm.example.com']),
      'AAAA m.example.com': servfail,
    });
    expect(finding).toMatchObject({ kind: 'broken' });
  });

  it('is unavailable if one look-up fails in our own resolver', async () => {
    const { finding } = await findMailHosts({
      'MX example.com': mx([1, 'a.example.com'], [2, 'b.example.com']),
      'A a.example.com': servfail,
      'A b.example.com': resolverDown,
    });
    expect(finding).toMatchObject({ kind: 'unavailable' });
  });

  it('uses a known host if the look-up of another fails', async () => {
    const { finding } = await findMailHosts({
      'MX example.com': mx([1, 'broken.example.com'], [2, 'good.example.com']),
      'A broken.example.com': servfail,
      'A good.example.com': a('8.8.8.8'),
    });
    expect(finding).toMatchObject({ kind: 'found', primary: 'good.example.com', hosts: [{ preference: 2 }] });
  });

  it('gives up on a domain with dozens of dead targets and concludes nothing', async () => {
    const many = Array.from({ length: 200 }, (_, index): [number, string] => [index, `mx${index}.example.com`]);
    const { finding, asked } = await findMailHosts({ 'MX example.com': mx(...many) });
    expect(finding).toMatchObject({ kind: 'broken' });
    expect(asked.length).toBeLessThan(70);
  });

  it('limits the number of addresses', async () => {
    const addresses = Array.from({ length: 200 }, (_, index) => `8.8.8.${index}`);
    const { finding } = await findMailHosts({
      'MX example.com': mx([1, 'm.example.com']),
      'A m.example.com': a(...addresses),
    });
    expect(finding.kind === 'found' && finding.hosts[0]?.addresses).toEqual(addresses.slice(0, 8));
  });
});

describe('IPv6', () => {
  const zone = {
    'MX example.com': mx([1, 'm.example.com']),
    'A m.example.com': a('8.8.8.8'),
    'AAAA m.example.com': aaaa('2606:4700::1'),
  };

  it('is looked up for a host without an IPv4 address', async () => {
    const { finding } = await findMailHosts({ ...zone, 'A m.example.com': nodata });
    expect(finding).toMatchObject({ kind: 'found', hosts: [{ addresses: ['2606:4700::1'] }] });
  });

  it('is not looked up for a host with an IPv4 address', async () => {
    const { finding, asked } = await findMailHosts(zone);
    expect(finding).toMatchObject({ hosts: [{ addresses: ['8.8.8.8'] }] });
    expect(asked).not.toContain('AAAA m.example.com');
  });

  it('is used for a host with only private IPv4 addresses', async () => {
    const { finding } = await findMailHosts({ ...zone, 'A m.example.com': a('10.0.0.1') });
    expect(finding).toMatchObject({ kind: 'found', hosts: [{ addresses: ['2606:4700::1'] }] });
  });

  it('comes after IPv4 if the egress supports it', async () => {
    const { finding } = await findMailHosts(zone, { preferIpv6: true });
    expect(finding).toMatchObject({ hosts: [{ addresses: ['8.8.8.8', '2606:4700::1'] }] });
  });
});

describe('a domain without usable MX records', () => {
  it('is its own mail host if it has an address (RFC 5321 5.1)', async () => {
    const { finding } = await findMailHosts({ 'MX example.com': nodata, 'A example.com': a('8.8.8.8') });
    expect(finding).toEqual({
      kind: 'found',
      hosts: [{ name: 'example.com', preference: 0, addresses: ['8.8.8.8'] }],
      exchanges: ['example.com'],
      primary: 'example.com',
      ttlSeconds: 20,
    });
  });

  it.each<[string, Zone, string]>([
    ['no address either', {}, 'no_records'],
    ['a private address', { 'A example.com': a('10.0.0.1') }, 'no_public_address'],
    ['no name at all', { 'MX example.com': nxdomain }, 'nxdomain'],
    ['a null MX', { 'MX example.com': mx([0, '.']), 'A example.com': a('8.8.8.8') }, 'null_mx'],
    ['a null MX of preference 10', { 'MX example.com': mx([10, '.']) }, 'null_mx'],
  ])('takes no mail: %s', async (_what, zone, why) => {
    const { finding } = await findMailHosts(zone);
    expect(finding).toMatchObject({ kind: 'none', why });
  });

  it('uses the host beside a "."', async () => {
    const { finding } = await findMailHosts({
      'MX example.com': mx([0, '.'], [10, 'good.example.com']),
      'A good.example.com': a('8.8.8.8'),
    });
    expect(finding).toMatchObject({ kind: 'found', exchanges: ['good.example.com'] });
  });

  it('concludes nothing from a failed MX look-up and asks no further', async () => {
    const { finding, asked } = await findMailHosts({ 'MX example.com': servfail, 'A example.com': a('8.8.8.8') });
    expect(finding).toEqual({ kind: 'broken', why: 'its MX records could not be looked up: servfail' });
    expect(asked).toEqual(['MX example.com']);
  });

  it('gives no verdict if our resolver is down', async () => {
    expect((await findMailHosts({ 'MX example.com': resolverDown })).finding).toMatchObject({ kind: 'unavailable' });
    expect((await findMailHosts({ 'A example.com': resolverDown })).finding).toMatchObject({ kind: 'unavailable' });
  });
});
