import { addressesToTry } from './connect-host.js';

const V4 = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
const V6 = ['2001:db8::1', '2001:db8::2'];

describe('addressesToTry', () => {
  it('leaves IPv6 out where there is IPv4 and no IPv6 identity of ours', () => {
    expect(addressesToTry([...V6, '192.0.2.1'], false, false)).toEqual(['192.0.2.1']);
  });

  it('puts IPv4 first where the egress has an IPv6 identity', () => {
    expect(addressesToTry([...V6, '192.0.2.1'], true, false)).toEqual(['192.0.2.1', ...V6]);
  });

  it('takes IPv6 where the host has nothing else', () => {
    expect(addressesToTry(V6, false, false)).toEqual(V6);
  });

  it('does not spend the check on one host with many addresses', () => {
    expect(addressesToTry(V4, false, false)).toHaveLength(4);
    expect(addressesToTry(V4, false, true)).toHaveLength(2);
  });
});
