import fc from 'fast-check';
import { isValidSpfRecord, readSpf, spfFact } from './spf-record.js';

describe('readSpf', () => {
  it('finds the record among other texts, whatever the case of its version', () => {
    expect(readSpf(['site-verification=1', 'V=SPF1 mx -all'])).toBe('valid');
    expect(readSpf(['v=spf1'])).toBe('valid');
  });

  it('does not accept another version or a longer word', () => {
    expect(readSpf([])).toBe('none');
    expect(readSpf(['v=spf10 mx -all', 'v=spf2.0/pra mx -all', ' v=spf1 -all', 'v=spf1; -all'])).toBe('none');
  });

  it('is a permerror with two records, even equal ones', () => {
    expect(readSpf(['v=spf1 -all', 'v=spf1 -all'])).toBe('permerror');
  });

  it('is a permerror with more than ten terms that need look-ups, at any position', () => {
    const includes = (count: number): string => `v=spf1 ${'include:a.example.com '.repeat(count)}`;
    expect(readSpf([`${includes(10)}ip4:192.0.2.1 -all`])).toBe('valid');
    expect(readSpf([`${includes(11)}-all`])).toBe('permerror');
    expect(readSpf([`${includes(10)}redirect=b.example.com`])).toBe('permerror');
  });

  it('counts no look-ups that nobody makes: behind "all", and of a redirect beside it', () => {
    const many = 'mx '.repeat(10);
    expect(readSpf([`v=spf1 -all ${many}a`])).toBe('valid');
    expect(readSpf([`v=spf1 ${many}?all redirect=b.example.com`])).toBe('valid');
    expect(readSpf([`v=spf1 ${many}a ~all`])).toBe('permerror');
    expect(readSpf([`v=spf1 -all ${many}a:`])).toBe('permerror');
  });
});

describe('isValidSpfRecord', () => {
  it.each([
    'v=spf1 +a ?mx ~ptr -all',
    'v=spf1 a:mail.example.com/24//64 mx//0 -all',
    'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ip6:::ffff:192.0.2.1 ~all',
    'v=spf1 exists:%{ir}.%{v}._spf.%{d2} -all',
    'v=spf1 a:%{d}/24 -all',
    'v=spf1 include:_spf.example.com. redirect=%{o}',
    'v=spf1 -all exp=why.%{D3r.-}.example.com',
    'v=spf1 vendor.x-1=%{l}/%%%_%- op= -all',
    'v=spf1 A:mail.example.X2 MX IP4:192.0.2.1/0 Include:%{D12R,+/_=-.} -ALL',
    'v=spf1 mx:a.x-1 ip6:2001:db8::1/128 x=~!" -all',
  ])('accepts %s', (record) => {
    expect(isValidSpfRecord(record)).toBe(true);
  });

  it.each([
    ['v=spf1 -all:example.com', 'an argument of all'],
    ['v=spf1 include -all', 'an include of nothing'],
    ['v=spf1 include: example.com', 'a space behind the colon'],
    ['v=spf1 a:localhost -all', 'a name of one label'],
    ['v=spf1 a:192.0.2.1 -all', 'an address for a name'],
    ['v=spf1 mx/33 -all', 'a prefix that is too long'],
    ['v=spf1 mx/024 -all', 'a prefix with a leading zero'],
    ['v=spf1 ip4:192.0.2.300 -all', 'no address'],
    ['v=spf1 ip4:192.0.2.0/24/24 -all', 'two prefixes'],
    ['v=spf1 ip6:192.0.2.1 -all', 'an address of the other family'],
    ['v=spf1 exists:%{c}.example.com -all', 'a macro for explanations only'],
    ['v=spf1 exists:%{d0}.example.com -all', 'none of the parts'],
    ['v=spf1 exists:%{d.example.com -all', 'an open macro'],
    ['v=spf1 exists:%{d1x}.example.com -all', 'a letter in a number'],
    ['v=spf1 exists:%{drr}.example.com -all', 'a reversal twice'],
    ['v=spf1 exists:%a{d}.example.com -all', 'a percent sign before another letter'],
    ['v=spf1 redirect=mail.example.123 -all', 'a top label of digits'],
    ['v=spf1 Redirect=localhost', 'a redirect to a name of one label, in any case'],
    ['v=spf1 a=%{d', 'an open macro in an unknown modifier'],
    ['v=spf1 ip6:2001:db8::/129 -all', 'an IPv6 prefix that is too long'],
    ['v=spf1 mx/ -all', 'a prefix without digits'],
    ['v=spf1 mx/24/24 -all', 'two IPv4 prefixes'],
    ['v=spf1 include.example.com -all', 'an include without a colon'],
    ['v=spf1 x=a\u007f -all', 'a control character'],
    ['v=spf1 !a -all', 'an unknown qualifier'],
    ['v=spf1 exists:100%.example.com -all', 'a bare percent sign'],
    ['v=spf1 redirect=a.example.com redirect=b.example.com', 'two redirects'],
    ['v=spf1 exp=a.example.com -all exp=b.example.com', 'two explanations'],
    ['v=spf1 redirect= -all', 'a redirect to nowhere'],
    ['v=spf1 -all, a', 'a comma'],
    ['v=spf1 ip4=192.0.2.1 -al', 'a misspelt mechanism'],
    ['v=spf1 +-a -all', 'two qualifiers'],
    ['v=spf1\ta -all', 'a tab'],
    ['v=spf1 a:bücher.example -all', 'letters outside of ASCII'],
  ])('refuses %s: %s', (record) => {
    expect(isValidSpfRecord(record)).toBe(false);
  });

  it('never throws, and reads a long hostile record quickly', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof isValidSpfRecord(`v=spf1 ${text}`) === 'boolean'));
    const before = process.cpuUsage();
    for (const part of ['%{d', '%%', 'a:', '-', 'a.', 'a/', 'a=']) isValidSpfRecord(`v=spf1 ${part.repeat(4_000)}`);
    // Microseconds of processor time: other load on the machine does not count.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe('spfFact', () => {
  it('is false without a record and for a broken one, null only when the look-up failed', () => {
    expect(spfFact(['v=spf1 -all'])).toBe(true);
    expect(spfFact(['v=spf1 -al'])).toBe(false);
    expect(spfFact([])).toBe(false);
    expect(spfFact(null)).toBeNull();
  });
});
