import type { MailHost } from '../../dns/mail-hosts.js';
import { SharedOrder } from './shared-order.js';

const host = (name: string, preference: number): MailHost => ({ name, preference, addresses: ['192.0.2.1'] });
const names = (hosts: readonly MailHost[]): string[] => hosts.map(({ name }) => name);

describe('SharedOrder', () => {
  it('deals hosts of equal preference to each domain as it did to the first', () => {
    const order = new SharedOrder();
    const [a, b, c] = [host('a', 10), host('b', 10), host('c', 20)];
    expect(names(order.of([b, a, c]))).toEqual(['b', 'a', 'c']);
    expect(names(order.of([a, b, c]))).toEqual(['b', 'a', 'c']);
  });

  it('never puts a host before one that is preferred', () => {
    const order = new SharedOrder();
    order.of([host('b', 10), host('a', 20)]);
    expect(names(order.of([host('a', 5), host('b', 30)]))).toEqual(['a', 'b']);
  });
});
