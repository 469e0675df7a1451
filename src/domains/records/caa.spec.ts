import { caaRecordsOf, nextCaaStep, restrictsIssuance, type CaaLookUp, type CaaRecord } from './caa.js';

const caa = (tag: string, value: string, critical = false): CaaRecord => ({ type: 'CAA', critical, tag, value });
const ISSUE = caa('issue', 'ca.example.net');

function climb(domain: string, world: Record<string, CaaLookUp['records']>): { asked: string[]; caa: boolean | null } {
  const lookUps: CaaLookUp[] = [];
  for (;;) {
    const step = nextCaaStep(domain, lookUps);
    if (step.kind === 'known') return { asked: lookUps.map(({ name }) => name), caa: step.caa };
    lookUps.push({ name: step.name, records: step.name in world ? (world[step.name] ?? null) : [] });
  }
}

describe('nextCaaStep', () => {
  it('climbs from the domain to its top-level domain', () => {
    expect(climb('a.example.com', {})).toEqual({ asked: ['a.example.com', 'example.com', 'com'], caa: false });
    expect(climb('a.example.com', { 'example.com': [ISSUE] })).toEqual({
      asked: ['a.example.com', 'example.com'],
      caa: true,
    });
  });

  it('stops at the nearest records, even if they restrict nothing', () => {
    const world = { 'a.example.com': [caa('iodef', 'mailto:ca@example.com')], 'example.com': [ISSUE] };
    expect(climb('a.example.com', world)).toEqual({ asked: ['a.example.com'], caa: false });
  });

  it('is undecided when a look-up failed before records were found, and for a name that is too long', () => {
    expect(climb('a.example.com', { 'example.com': null, com: [ISSUE] }).caa).toBeNull();
    const { asked, caa: answer } = climb(`${'a.'.repeat(100)}example.com`, {});
    expect(asked).toHaveLength(12);
    expect(answer).toBeNull();
  });
});

describe('restrictsIssuance', () => {
  it('is true for any issue or issuewild, and for an unknown critical property', () => {
    expect(restrictsIssuance([caa('issue', ';')])).toBe(true);
    expect(restrictsIssuance([caa('Issue', '%%%')])).toBe(true);
    expect(restrictsIssuance([caa('issuewild', 'ca.example.net')])).toBe(true);
    expect(restrictsIssuance([caa('tbs', 'x', true)])).toBe(true);
  });

  it.each(['issuemail', 'issuevmc', 'contactemail', 'contactphone'])('is false for a critical %s', (tag) => {
    expect(restrictsIssuance([caa(tag, 'x', true)])).toBe(false);
  });

  it('is false for anything else', () => {
    expect(restrictsIssuance([])).toBe(false);
    expect(
      restrictsIssuance([caa('iodef', 'mailto:ca@example.com', true), caa('tbs', 'x'), caa('issuemail', ';')]),
    ).toBe(false);
  });
});

describe('caaRecordsOf', () => {
  it('distinguishes no records from no answer', () => {
    const rest = { ttlSeconds: 60, authenticated: false };
    expect(caaRecordsOf({ kind: 'records', records: [ISSUE], ...rest })).toEqual([ISSUE]);
    expect(caaRecordsOf({ kind: 'nodata', ...rest })).toEqual([]);
    expect(caaRecordsOf({ kind: 'failure', why: 'servfail', blame: 'domain' })).toBeNull();
  });
});
