import { isNullMx } from './null-mx.js';
import { textsOf } from './texts.js';

const rest = { ttlSeconds: 60, authenticated: false };

describe('textsOf', () => {
  it('distinguishes no text from no answer', () => {
    const records = [{ type: 'TXT', text: 'one' } as const, { type: 'A', address: '192.0.2.1' } as const];
    expect(textsOf({ kind: 'records', records, ...rest })).toEqual(['one']);
    expect(textsOf({ kind: 'nxdomain', ...rest })).toEqual([]);
    expect(textsOf({ kind: 'failure', why: 'timeout', blame: 'domain' })).toBeNull();
  });
});

describe('isNullMx', () => {
  const mx = (exchange: string, preference = 0) => ({ type: 'MX', preference, exchange }) as const;

  it('is a single record that targets the root', () => {
    expect(isNullMx([mx('.')])).toBe(true);
    expect(isNullMx([mx('.'), mx('.', 10)])).toBe(true);
    expect(isNullMx([mx('.'), mx('mx.example.com', 10)])).toBe(false);
    expect(isNullMx([])).toBe(false);
  });
});
