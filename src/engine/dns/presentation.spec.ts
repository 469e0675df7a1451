import { presentAnswer } from './presentation.js';
import type { RecordData } from './resolver.js';

const records = (...data: RecordData[]): Parameters<typeof presentAnswer>[0] => {
  return { kind: 'records', records: data, ttlSeconds: 60, authenticated: false };
};

describe('presentAnswer', () => {
  it('writes records in presentation form', () => {
    expect(presentAnswer(records({ type: 'MX', preference: 10, exchange: 'mx.example' }))).toBe(
      '10 mx.example. (TTL 60)',
    );
    expect(presentAnswer(records({ type: 'A', address: '192.0.2.1' }, { type: 'A', address: '192.0.2.2' }))).toBe(
      '192.0.2.1, 192.0.2.2 (TTL 60)',
    );
  });

  it('never prints control characters', () => {
    const text = presentAnswer(records({ type: 'TXT', text: '\u001b[31m"\r\n\u009b\u202e' }));
    expect(text).toBe('"\\u001b[31m\\"\\r\\n\\u009b\\u202e" (TTL 60)');
  });

  it('limits the number of records', () => {
    const many = Array.from({ length: 500 }, (): RecordData => ({ type: 'A', address: '192.0.2.1' }));
    expect(presentAnswer(records(...many))).toMatch(/, and 480 more \(TTL 60\)$/);
  });

  it('says who caused a failure', () => {
    expect(presentAnswer({ kind: 'failure', why: 'servfail', blame: 'domain' })).toContain('the resolver itself works');
    expect(presentAnswer({ kind: 'failure', why: 'timeout', blame: 'resolver' })).toContain('our resolver');
  });

  it('distinguishes a missing name, a missing record and a validated answer', () => {
    expect(presentAnswer({ kind: 'nxdomain', ttlSeconds: 5, authenticated: true })).toBe(
      'NXDOMAIN: the name does not exist (TTL 5, DNSSEC)',
    );
    expect(presentAnswer({ kind: 'nodata', ttlSeconds: 5, authenticated: false })).toMatch(/^NODATA/);
  });
});
