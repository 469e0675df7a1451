import { bimiFact, bimiNames, parseBimiRecord } from './bimi-record.js';

const LOGO = 'v=BIMI1; l=https://example.com/logo.svg; a=https://example.com/vmc.pem';

describe('parseBimiRecord', () => {
  it('reads the locations of the indicator and its evidence', () => {
    expect(parseBimiRecord(`${LOGO}; avp=personal; new=1;`)).toEqual({
      location: 'https://example.com/logo.svg',
      evidence: 'https://example.com/vmc.pem',
      localPartPrefixes: null,
    });
    expect(parseBimiRecord('v=BIMI1; l=; a=; lps=news-, Shop')?.localPartPrefixes).toEqual(['news-', 'Shop']);
    expect(parseBimiRecord('v\t=\tBIMI1\t; l=; lps=')?.localPartPrefixes).toEqual([]);
    expect(parseBimiRecord('v = BIMI1 ; a=HTTPS://example.com')?.evidence).toBe('HTTPS://example.com');
  });

  it.each([
    'v=bimi1; l=https://example.com/logo.svg',
    'l=https://example.com/logo.svg; v=BIMI1',
    'v=BIMI1; l=http://example.com/logo.svg',
    'v=BIMI1; l=https://localhost/logo.svg',
    'v=BIMI1; l=https://a.example.com/1.svg,https://a.example.com/2.svg',
    'v=BIMI1; l=; l=',
    'v=BIMI1; l=; avp=Brand',
    'v=BIMI1; l=; lps=a.b',
    'v=BIMI1; l=; lps=news-, a.b',
    `v=BIMI1; l=; lps=${'a'.repeat(64)}`,
    'v=BIMI1; l=; a=http://example.com/vmc.pem',
    'v=BIMI1; l=https://.com/logo.svg',
    'v=BIMI1; l=https://example./logo.svg',
    'v=BIMI1; l=; nothing',
    'v=BIMI10; l=https://example.com/logo.svg',
    'v=BIMI1; other=1',
    'v=BIMI1',
  ])('refuses %s', (text) => {
    expect(parseBimiRecord(text)).toBeNull();
  });
});

describe('bimiFact', () => {
  it('checks the domain, then its organisational domain', () => {
    expect(bimiNames('news.example.com', 'example.com')).toEqual([
      'default._bimi.news.example.com',
      'default._bimi.example.com',
    ]);
    expect(bimiNames('example.com', 'example.com')).toEqual(['default._bimi.example.com']);
    expect(bimiFact([[], [LOGO]])).toBe(true);
    expect(bimiFact([['v=spf1 -all'], []])).toBe(false);
  });

  it('uses the nearest record, even one that declines or is broken', () => {
    expect(bimiFact([['v=BIMI1; l=; a=;'], [LOGO]])).toBe(false);
    expect(bimiFact([['v=BIMI1; l=nowhere'], [LOGO]])).toBe(false);
    expect(bimiFact([[LOGO, LOGO], [LOGO]])).toBe(false);
    expect(bimiFact([['v=BIMI1; l=; a=; lps=news-'], []])).toBe(true);
    expect(bimiFact([['v=BIMI1; l=; a=https://example.com/vmc.pem'], []])).toBe(true);
    expect(bimiFact([['other', 'v=BIMI1; l=https://example.com/logo.svg'], []])).toBe(true);
  });

  it('is null when a look-up failed before a record was found', () => {
    expect(bimiFact([null, [LOGO]])).toBeNull();
    expect(bimiFact([[], null])).toBeNull();
    expect(bimiFact([[LOGO], null])).toBe(true);
  });
});
