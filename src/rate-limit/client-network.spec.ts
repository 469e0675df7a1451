import fc from 'fast-check';
import { clientNetwork } from './client-network.js';

describe('clientNetwork', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
  ])('%s is counted as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it.each([[undefined], [''], ['unknown'], ['_hidden'], ['192.0.2'], ['192.0.2.256'], ['1:2:3'], ['x'.repeat(16_000)]])(
    '%s is none',
    (address) => {
      expect(clientNetwork(address)).toBe('none');
    },
  );

  it('is short, whatever a load balancer forwards', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4()), (address) => {
        expect(clientNetwork(address)).toMatch(/^(none|[0-9.]{7,15}|[0-9a-f:]{2,22}\/64)$/);
      }),
    );
  });

  it('is the same for all addresses of one /64', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 4, maxLength: 4 }),
        fc.array(group, { minLength: 4, maxLength: 4 }),
        (net, host) => {
          fc.pre(net.some((part) => part !== '0'));
          expect(clientNetwork([...net, ...host].join(':'))).toBe(
            clientNetwork([...net, '0', '0', '0', '1'].join(':')),
          );
        },
      ),
    );
  });
});
