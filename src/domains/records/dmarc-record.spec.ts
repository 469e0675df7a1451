import fc from 'fast-check';
import { parseDmarcRecord, selectDmarcRecord } from './dmarc-record.js';

describe('parseDmarcRecord', () => {
  it('reads the policies and the kind of domain', () => {
    expect(parseDmarcRecord('v=DMARC1; p=quarantine; sp=none; np=reject; psd=n; rua=mailto:d@example.com')).toEqual({
      policy: 'quarantine',
      subdomainPolicy: 'none',
      missingSubdomainPolicy: 'reject',
      psd: 'n',
      faults: [],
      effective: true,
    });
  });

  it('accepts names and policies in any case and with white space, but the version only in its exact spelling', () => {
    expect(parseDmarcRecord('V = DMARC1 ;P= Reject;')).toMatchObject({ policy: 'reject', faults: [] });
    expect(parseDmarcRecord('v\t=\tDMARC1\t; p=none; SP=REJECT; np=Quarantine; psd=Y; fo=D:S; t=N; aspf=S')).toEqual({
      policy: 'none',
      subdomainPolicy: 'reject',
      missingSubdomainPolicy: 'quarantine',
      psd: 'y',
      faults: [],
      effective: true,
    });
    expect(parseDmarcRecord('v=dmarc1; p=reject')).toBeNull();
  });

  it.each(['p=reject; v=DMARC1', 'v=DMARC10; p=reject', ' v=DMARC1; p=reject', 'v=DMARC1 p=reject', 'v=spf1 -all', ''])(
    'takes %j for no record',
    (text) => {
      expect(parseDmarcRecord(text)).toBeNull();
    },
  );

  it('rejects a record with a duplicate tag, whatever the case of its name', () => {
    expect(parseDmarcRecord('v=DMARC1; p=reject; p=reject')).toBeNull();
    expect(parseDmarcRecord('v=DMARC1; p=reject; P=none')).toBeNull();
  });

  it('ignores unknown and obsolete tags, and reports faulty ones', () => {
    const text = 'v=DMARC1; p=reject; pct=5; rf=x; ri=y; new=1; fo=z; psd=maybe; adkim=strict; whatever';
    expect(parseDmarcRecord(text)).toEqual({
      policy: 'reject',
      subdomainPolicy: null,
      missingSubdomainPolicy: null,
      psd: 'u',
      faults: ['psd', 'adkim', 'fo', 'whatever'],
      effective: true,
    });
  });

  it('does not weaken the policy for t=y', () => {
    expect(parseDmarcRecord('v=DMARC1; p=reject; t=y')?.policy).toBe('reject');
  });

  it.each([
    'p=rejct',
    'p=none!; sp=reject; np=reject',
    'sp=quarantin; p=reject',
    'sp=xreject; p=reject',
    'np=; p=reject',
    'np=rejected; p=reject; sp=reject',
    'adkim=s; sp=reject',
  ])('counts %s as p=none when it names an address for reports, as no DMARC otherwise', (tags) => {
    expect(parseDmarcRecord(`v=DMARC1; ${tags}; rua=mailto:d@example.com`)).toMatchObject({
      policy: 'none',
      subdomainPolicy: null,
      missingSubdomainPolicy: null,
      effective: true,
    });
    expect(parseDmarcRecord(`v=DMARC1; ${tags}; rua=nobody, https://example.com/d!10m`)?.effective).toBe(true);
    expect(parseDmarcRecord(`v=DMARC1; ${tags}; rua=nobody`)).toMatchObject({ effective: false });
    expect(parseDmarcRecord(`v=DMARC1; ${tags}`)).toMatchObject({ effective: false });
  });

  it.each([
    ['mailto:', true],
    ['mailto:d%2Ce@example.com!5', true],
    ['mailto:d%2@example.com', false],
    ['mailto:<d@example.com>', false],
    ['mailto:d@example.com!5x', false],
  ])('reads %s as a report address: %s', (rua, effective) => {
    expect(parseDmarcRecord(`v=DMARC1; rua=${rua}`)).toMatchObject({ policy: 'none', effective });
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(() => parseDmarcRecord(`v=DMARC1;${text}`)).not.toThrow()));
  });
});

describe('selectDmarcRecord', () => {
  it('skips other texts', () => {
    expect(selectDmarcRecord(['v=spf1 -all', 'v=DMARC1; p=reject'])?.policy).toBe('reject');
  });

  it('finds no record among several, even if only one of them is valid', () => {
    expect(selectDmarcRecord(['v=DMARC1; p=reject', 'v=DMARC1; p=none'])).toBeNull();
    expect(selectDmarcRecord(['v=DMARC1; p=reject', 'v=DMARC1; p=none; p=none'])).toBeNull();
  });
});
