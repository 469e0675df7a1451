import { canBeHost, isLocalhost, orderExchanges } from './mail-exchanges.js';
import type { RecordData } from './resolver.js';

const mx = (preference: number, exchange: string): RecordData => ({ type: 'MX', preference, exchange });
const never = (): number => {
  throw new Error('nothing to shuffle');
};

describe('orderExchanges', () => {
  it('puts the lowest preference first', () => {
    const order = orderExchanges([mx(30, 'c.x'), mx(10, 'a.x'), mx(20, 'b.x')], () => 0);
    expect(order.map(({ name }) => name)).toEqual(['a.x', 'b.x', 'c.x']);
  });

  it('shuffles only hosts of equal preference', () => {
    const records = [mx(20, 'd.x'), mx(10, 'a.x'), mx(10, 'b.x'), mx(10, 'c.x')];
    const firsts = new Set<string>();
    for (let turn = 0; turn < 200; turn += 1) {
      const names = orderExchanges(records, Math.random).map(({ name }) => name);
      expect(names[3]).toBe('d.x');
      firsts.add(names[0]!);
    }
    expect([...firsts].sort()).toEqual(['a.x', 'b.x', 'c.x']);
  });

  it('names a host once, at its best preference', () => {
    for (const records of [
      [mx(30, 'a.x'), mx(10, 'a.x'), mx(20, 'b.x')],
      [mx(10, 'a.x'), mx(30, 'a.x'), mx(20, 'b.x')],
    ]) {
      expect(orderExchanges(records, () => 0)).toEqual([
        { name: 'a.x', preference: 10 },
        { name: 'b.x', preference: 20 },
      ]);
    }
  });

  it('returns no host for a null MX, whatever its preference', () => {
    expect(orderExchanges([mx(0, '.')], never)).toEqual([]);
    expect(orderExchanges([mx(10, '.')], never)).toEqual([]);
  });

  it('ignores "." beside a host', () => {
    expect(orderExchanges([mx(0, '.'), mx(10, 'a.x')], () => 0)).toEqual([{ name: 'a.x', preference: 10 }]);
  });
});

describe('canBeHost', () => {
  it.each([
    'mx.example.com',
    'localhost',
    'mx',
    'mx1_a.example.com',
    '1.2.3.4.example',
    'mx.a1',
    'mx.1a',
    'xn--mx-8ka.example',
  ])('takes %s', (name) => {
    expect(canBeHost(name)).toBe(true);
  });

  it.each(['192.0.2.1', '192.0.2.255', '127.0.0.1', '1', 'a\\.b.example', 'mx\\032a.example', '*.example'])(
    'refuses %s',
    (name) => {
      expect(canBeHost(name)).toBe(false);
    },
  );
});

describe('isLocalhost', () => {
  it.each([
    ['localhost', true],
    ['mx.localhost', true],
    ['localhost.localdomain', true],
    ['notlocalhost', false],
    ['localhost.example.com', false],
  ])('%s: %s', (name, local) => {
    expect(isLocalhost(name)).toBe(local);
  });
});
