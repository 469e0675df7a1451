import { reverseName } from './reverse-name.js';

it.each([
  ['192.0.2.7', '7.2.0.192.in-addr.arpa'],
  ['2001:db8::7', '7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
  ['example.com', null],
])('the reverse name of %s', (address, name) => {
  expect(reverseName(address)).toBe(name);
});
