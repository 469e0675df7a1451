import fc from 'fast-check';
import { isPolicyMediaType, MAX_POLICY_OCTETS, mtaStsFact, parseMtaStsPolicy } from './mta-sts-policy.js';
import { announcesMtaSts, readMtaStsId } from './mta-sts-record.js';

const POLICY = 'version: STSv1\r\nmode: enforce\r\nmx: mx1.example.com\r\nmx: *.example.net\r\nmax_age: 604800\r\n';
describe('readMtaStsId', () => {
  it.each([
    'v=STSv1; id=20260101T1;',
    'v=STSv1;id=20260101T1',
    'v=STSv1 ; x.y=a:b ; id=20260101T1 ; ',
    'v=STSv1; id=20260101T1 \t',
  ])('reads %j', (text) => {
    expect(readMtaStsId(['v=spf1 -all', text])).toBe('20260101T1');
  });

  it('reads the first of two ids, of up to 32 letters and digits', () => {
    expect(readMtaStsId(['v=STSv1; id=1; id=2'])).toBe('1');
    expect(readMtaStsId([`v=STSv1; id=${'a'.repeat(32)}`])).toBe('a'.repeat(32));
    expect(readMtaStsId([`v=STSv1\t;\t${'X1_-'.repeat(8)}=a; id=1\t;\t`])).toBe('1');
  });

  it.each([
    'v=STSv1;',
    `v=STSv1; ${'x'.repeat(33)}=a; id=1`,
    'v=STSv1; _x=a; id=1',
    'v=STSv1; x=a b; id=1',
    'v=STSv1; x=a=b; id=1',
    'v=STSv1; id=',
    'v=STSv1; id=2026-01',
    `v=STSv1; id=${'1'.repeat(33)}`,
    'v=STSv1; ID=1',
    'v=STSv1; id =1',
    'v=STSv1; id=1; ;',
    'v=STSv1; id=1; nothing',
    'v=stsv1; id=1;',
    ' v=STSv1; id=1;',
    'v=STSv2; id=1;',
    'id=1; v=STSv1;',
  ])('refuses %j', (text) => {
    expect(readMtaStsId([text])).toBeNull();
  });

  it('finds none among several records of the version', () => {
    expect(readMtaStsId(['v=STSv1; id=1;', 'v=STSv1; id=2;'])).toBeNull();
    expect(announcesMtaSts([])).toBe(false);
    expect(announcesMtaSts(['v=STSv1; id=1;'])).toBe(true);
    expect(announcesMtaSts(null)).toBeNull();
  });
});

describe('parseMtaStsPolicy', () => {
  it('reads a policy, with either kind of line end', () => {
    expect(parseMtaStsPolicy(POLICY)).toBe('enforce');
    expect(parseMtaStsPolicy(`${POLICY.replaceAll('\r', '')}\n`)).toBe('enforce');
  });

  it('ignores unknown keys, and all but the first of a duplicate key', () => {
    const text = `${POLICY}mode: none\nmax_age: 1\nx-note: any thing: at all\n`;
    expect(parseMtaStsPolicy(text)).toBe('enforce');
  });

  it('reads names of hosts in any case, and values next to the colon or far from it', () => {
    const text = 'version:STSv1\nX_1.a-b: c\nmode:\t testing\t \nmx:MX-1.Example.COM\nmax_age: 31557600';
    expect(parseMtaStsPolicy(text)).toBe('testing');
    expect(parseMtaStsPolicy(`${text}\n${'x'.repeat(32)}: y`)).toBe('testing');
    expect(parseMtaStsPolicy(`${text}\n${'x'.repeat(33)}: y`)).toBeNull();
  });

  it('reads a file of up to 64 kB, in octets', () => {
    const most = `${POLICY}x: ${'é'.repeat(10)}`;
    const full = most.padEnd(MAX_POLICY_OCTETS - Buffer.byteLength(most) + most.length, 'x');
    expect(parseMtaStsPolicy(full)).toBe('enforce');
    expect(parseMtaStsPolicy(`${full}x`)).toBeNull();
  });

  it('needs no mail host in mode none', () => {
    expect(parseMtaStsPolicy('version: STSv1\nmode: none\nmax_age: 0')).toBe('none');
  });

  it.each([
    ['', 'nothing'],
    ['<html>', 'a web page'],
    [POLICY.replace('STSv1', 'STSv2'), 'another version'],
    [POLICY.replace('version', 'Version'), 'a key in other letters'],
    [POLICY.replace('enforce', 'strict'), 'an unknown mode'],
    [POLICY.replace(/mx:.*\r\n/g, ''), 'no mail host'],
    [POLICY.replace('604800', ''), 'an empty age'],
    [POLICY.replace('604800', '-1'), 'a negative age'],
    [POLICY.replace('604800', '31557601'), 'an age over a year'],
    [POLICY.replace('604800', '604800 s'), 'an age with a unit'],
    [POLICY.replace('604800', '00000604800'), 'an age of eleven digits'],
    [POLICY.replace('*.example.net', 'mx-.example.net'), 'a hyphen at the end of a label'],
    [POLICY.replace('*.example.net', 'mx_1.example.net'), 'an underscore'],
    [POLICY.replace('*.example.net', 'mx1.example.net, mx2.example.net'), 'two hosts in a line'],
    [POLICY.replace('*.example.net', 'mx.*.example.net'), 'a star further inside'],
    [POLICY.replace('*.example.net', '*example.net'), 'a star that is no label'],
    [POLICY.replace('*.example.net', '192.0.2.1'), 'an address'],
    [POLICY.replace('*.example.net', '-mx.example.net'), 'no host name'],
    [POLICY.replace('*.example.net', 'mx.example.net.'), 'a name that ends in a dot'],
    [POLICY.replaceAll('\r\n', '\r'), 'line ends of another kind'],
    [POLICY.replace('mode', '\nmode'), 'an empty line inside'],
    [`${POLICY}${'x: y\n'.repeat(MAX_POLICY_OCTETS / 5)}`, 'a file of more than 64 kB'],
  ])('refuses %.20j: %s', (text) => {
    expect(parseMtaStsPolicy(text)).toBeNull();
  });

  it('never throws, and reads a long hostile file quickly', () => {
    fc.assert(fc.property(fc.string(), (text) => parseMtaStsPolicy(text) === null));
    const before = process.cpuUsage();
    for (const part of ['a: ', ' ', '\n', '\r', 'a:a ']) parseMtaStsPolicy(`a:b${part.repeat(16_000)}\r.`);
    // Microseconds of processor time: other load on the machine does not count.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe('isPolicyMediaType', () => {
  it('is text/plain with any parameters', () => {
    const right = ['text/plain', 'Text/Plain; charset=utf-8', ' text/plain\t; charset=utf-8', 'text/plain '];
    expect(right.filter((type) => !isPolicyMediaType(type))).toEqual([]);
    expect(isPolicyMediaType('application/x; a=text/plain')).toBe(false);
    expect(['text/html', 'text/plainer', '', null].map(isPolicyMediaType)).toEqual([false, false, false, false]);
  });
});

describe('mtaStsFact', () => {
  it('needs the record and a valid, enforced policy', () => {
    expect(mtaStsFact(true, 'enforce')).toBe(true);
    expect(mtaStsFact(true, 'testing')).toBe(true);
    expect(mtaStsFact(true, 'none')).toBe(false);
    expect(mtaStsFact(true, null)).toBe(false);
    expect(mtaStsFact(false, undefined)).toBe(false);
  });

  it('is null when the record or the policy could not be fetched', () => {
    expect(mtaStsFact(null, 'enforce')).toBeNull();
    expect(mtaStsFact(true, undefined)).toBeNull();
  });
});
