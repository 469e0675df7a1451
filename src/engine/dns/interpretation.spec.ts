import type { DnsMessage, DnsRecord, Question } from './dns-message.js';
import { failureOf, interpret, MAX_ALIASES } from './interpretation.js';

const question: Question = { name: 'example.com', type: 'MX', checkingDisabled: false };

const mx = (owner: string, ttlSeconds = 300): DnsRecord => {
  return { owner, ttlSeconds, data: { type: 'MX', preference: 10, exchange: 'mx.example.com' } };
};
const cname = (owner: string, name: string, ttlSeconds = 300): DnsRecord => {
  return { owner, ttlSeconds, data: { type: 'CNAME', name } };
};
const soa = (owner: string, ttlSeconds: number, minimumSeconds: number): DnsRecord => {
  return { owner, ttlSeconds, data: { type: 'SOA', primary: 'ns.example', minimumSeconds } };
};
const chainOf = (length: number): DnsRecord[] => {
  return Array.from({ length }, (_, n) => cname(n === 0 ? 'example.com' : `${n}.x`, `${n + 1}.x`));
};
const ns = (owner: string): DnsRecord => ({ owner, ttlSeconds: 60, data: { type: 'NS', name: 'ns.example' } });

function message(parts: Partial<DnsMessage> = {}): DnsMessage {
  return {
    rcode: 0,
    authenticated: false,
    recursionAvailable: true,
    extendedErrors: [],
    strayAnswers: false,
    answers: [],
    authorities: [],
    ...parts,
  };
}

describe('interpret', () => {
  it('uses the records of the name asked for and no others', () => {
    const answers = [mx('other.example'), mx('example.com'), mx('sub.example.com')];
    expect(interpret(message({ answers, authenticated: true }), question)).toEqual({
      kind: 'records',
      records: [mx('example.com').data],
      ttlSeconds: 300,
      authenticated: true,
    });
  });

  it('follows a CNAME chain in any order and returns its shortest TTL', () => {
    const answers = [mx('c.example', 200), cname('b.example', 'c.example', 50), cname('example.com', 'b.example')];
    expect(interpret(message({ answers }), question)).toMatchObject({
      kind: 'records',
      ttlSeconds: 50,
    });
  });

  it('limits a TTL to an hour', () => {
    expect(interpret(message({ answers: [mx('example.com', 86_400)] }), question)).toMatchObject({ ttlSeconds: 3_600 });
    const authorities = [soa('com', 86_400, 86_400)];
    expect(interpret(message({ rcode: 3, authorities }), question)).toMatchObject({ ttlSeconds: 3_600 });
  });

  it.each([
    [900, 30, 30],
    [30, 900, 30],
  ])('gives a negative answer the lesser of the SOA TTL %d and its minimum %d', (ttl, minimum, expected) => {
    const authorities = [soa('example.com', ttl, minimum)];
    expect(interpret(message({ rcode: 3, authorities }), question)).toMatchObject({
      kind: 'nxdomain',
      ttlSeconds: expected,
    });
    expect(interpret(message({ authorities }), question)).toMatchObject({ kind: 'nodata', ttlSeconds: expected });
  });

  it('gives a negative answer without an SOA a TTL of zero (RFC 2308 5)', () => {
    expect(interpret(message({ rcode: 3 }), question)).toMatchObject({ kind: 'nxdomain', ttlSeconds: 0 });
    expect(interpret(message(), question)).toMatchObject({ kind: 'nodata', ttlSeconds: 0 });
  });

  it('returns an alias if nothing is said about the end of a chain', () => {
    const answers = [cname('example.com', 'b.example.org', 40)];
    const alias = { kind: 'alias', target: 'b.example.org', passed: ['example.com'], ttlSeconds: 40 };
    expect(interpret(message({ answers }), question)).toMatchObject(alias);
    // The SOA of another zone says nothing about the target.
    expect(interpret(message({ answers, authorities: [soa('example.com', 9, 9)] }), question)).toMatchObject(alias);
  });

  it('accepts a negative answer about the end of a chain', () => {
    const answers = [cname('example.com', 'b.example.org', 40)];
    const authorities = [soa('example.org', 60, 60)];
    for (const zone of ['b.example.org', 'example.org', 'org', '.']) {
      const about = message({ answers, authorities: [ns(zone), soa(zone, 30, 60)] });
      expect(interpret(about, question)).toMatchObject({ kind: 'nodata', ttlSeconds: 30 });
    }
    expect(interpret(message({ answers, authorities, rcode: 3 }), question)).toMatchObject({ kind: 'nxdomain' });
  });

  it.each([
    [[cname('example.com', 'example.com')]],
    [[cname('example.com', 'b.example'), cname('b.example', 'example.com')]],
    [chainOf(MAX_ALIASES + 1)],
  ])('sees a chain that circles or never ends', (answers) => {
    expect(interpret(message({ answers }), question)).toEqual({ kind: 'loop' });
  });

  it('follows a chain of the greatest length', () => {
    expect(interpret(message({ answers: chainOf(MAX_ALIASES) }), question)).toMatchObject({
      kind: 'alias',
      target: `${MAX_ALIASES}.x`,
    });
  });

  it('does not follow a CNAME that the question asks for', () => {
    const answers = [cname('example.com', 'b.example')];
    expect(interpret(message({ answers }), { ...question, type: 'CNAME' })).toMatchObject({
      kind: 'records',
    });
  });
});

describe('failureOf', () => {
  it.each([
    [2, 'servfail'],
    [5, 'refused'],
    [1, 'servfail'],
    [4, 'servfail'],
    [9, 'servfail'],
    [16, 'servfail'],
    [23, 'servfail'],
    [0, null],
    [3, null],
  ])('reads answer code %d as %s', (rcode, failure) => {
    expect(failureOf(message({ rcode }), question)).toBe(failure);
  });

  it('does not read the referral of a lame server as "no such record"', () => {
    expect(failureOf(message({ authorities: [ns('com')] }), question)).toBe('servfail');
    expect(failureOf(message({ authorities: [ns('com'), soa('com', 1, 1)] }), question)).toBeNull();
    expect(failureOf(message({ answers: [mx('example.com')], authorities: [ns('example.com')] }), question)).toBeNull();
    expect(failureOf(message({ rcode: 3, authorities: [ns('com')] }), question)).toBeNull();
  });

  it('has a chain followed whether or not its server asks others', () => {
    for (const answers of [chainOf(1), chainOf(MAX_ALIASES + 1)]) {
      expect(failureOf(message({ answers, recursionAvailable: false }), question)).toBeNull();
    }
  });

  it.each([
    [['0.0.0.0'], [22], 'not_definite'],
    [['::'], [23], 'not_definite'],
    [['0.0.0.0', '192.0.2.1'], [22], null],
    [['0.0.0.0'], [], null],
    [['0.0.0.0'], [3], null],
  ])('reads the addresses %j with the extended errors %j as %s', (addresses, extendedErrors, failure) => {
    const answers = addresses.map((address): DnsRecord => {
      return { owner: 'example.com', ttlSeconds: 60, data: { type: 'A', address } };
    });
    expect(failureOf(message({ answers, extendedErrors }), { ...question, type: 'A' })).toBe(failure);
  });
});
