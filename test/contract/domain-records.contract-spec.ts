import { parseBimiRecord } from '../../src/domains/records/bimi-record.js';
import { parseDmarcRecord } from '../../src/domains/records/dmarc-record.js';
import { readMtaStsId } from '../../src/domains/records/mta-sts-record.js';
import { isValidSpfRecord, readSpf, spfFact } from '../../src/domains/records/spf-record.js';
import { readTlsReportAddresses } from '../../src/domains/records/tls-rpt-record.js';
import { jsonLines, sharedData } from '../support/shared-data.js';
import { readSpfSuite, type SpfCase } from '../support/spf-suite.js';

interface Vector {
  readonly type: 'spf' | 'dmarc' | 'bimi' | 'tlsrpt' | 'mta-sts';
  readonly record: string;
  readonly valid: boolean;
  readonly error: string | null;
}

const ACCEPTS: Readonly<Record<Vector['type'], (record: string) => boolean>> = {
  spf: isValidSpfRecord,
  dmarc: (record) => {
    const read = parseDmarcRecord(record);
    return read !== null && read.effective && read.faults.length === 0;
  },
  bimi: (record) => parseBimiRecord(record) !== null,
  tlsrpt: (record) => readTlsReportAddresses([record]) !== null,
  'mta-sts': (record) => readMtaStsId([record]) !== null,
};

/** Faults of other records than the one shown, or of how many records a look-up gives: they need the DNS. */
const SEEN_IN_THE_DNS_ALONE = new Set([
  'SPFIncludeLoop',
  'SPFRedirectLoop',
  'SPFTooManyDNSLookups',
  'SPFTooManyVoidDNSLookups',
]);

/** Expectations that the RFCs decide otherwise. */
const DECIDED_OTHERWISE: Readonly<Record<string, string>> = {
  'v=DMARC1; p=n;': 'RFC 9989 4.8: `n` is no policy',
  'v=DMARC1; p=none; rf=bob;': 'RFC 9989 C.5.2: `rf` is no tag any more, and unknown tags are ignored',
  'v=DMARC1; p=none; rf=000000000000000000000000000000000': 'RFC 9989 C.5.2: `rf` is no tag any more',
  'v=DMARC1; p=none; ri=bob;': 'RFC 9989 C.5.2: `ri` is no tag any more',
  'v=DMARC1; p=none; pct=500;': 'RFC 9989 A.6: `pct` is no tag any more',
  'v=STSv1; id=foo; id=bar': 'RFC 8461 3.2: of a field that stands twice the first counts',
  'v=spf1 -all exp=exp.example extra': 'RFC 7208 4.6: a syntax error anywhere is a permerror',
};

const vectors = sharedData('dns-records/records.jsonl');
const suite = sharedData('dns-records/rfc7208-tests.yml');

(vectors === null ? describe.skip : describe)('record parsers on records as they were published', () => {
  const all = jsonLines<Vector>(vectors ?? '').map((vector) => ({ ...vector, record: joinStrings(vector.record) }));
  const own = all.filter(({ error }) => !SEEN_IN_THE_DNS_ALONE.has(error ?? ''));
  const misses = own.filter(({ type, record, valid }) => ACCEPTS[type](record) !== valid);

  it('are read as expected, except where an RFC decides otherwise', () => {
    const unexplained = misses.filter(({ record }) => !(record in DECIDED_OTHERWISE));
    const report = misses.map(({ record, valid }) => {
      return `  ${record}: expected ${valid ? 'valid' : 'invalid'}; ${DECIDED_OTHERWISE[record] ?? 'WRONG'}`;
    });
    const score = `records: ${own.length - misses.length} of ${own.length} as expected, ${misses.length - unexplained.length} decided otherwise by an RFC, ${all.length - own.length} need the DNS`;
    process.stdout.write(`${[score, ...report].join('\n')}\n`);
    expect(own.length).toBeGreaterThan(100);
    expect(unexplained).toEqual([]);
  });

  it('have no needless exception', () => {
    const missed = new Set(misses.map(({ record }) => record));
    expect(Object.keys(DECIDED_OTHERWISE).filter((record) => !missed.has(record))).toEqual([]);
  });
});

/** Errors that come from other records than the domain's own, or from what a look-up gives. */
const ERRORS_OF_EVALUATION = new Set([
  'include-permerror',
  'include-none',
  'redirect-none',
  'redirect-loop',
  'include-loop',
  'mx-limit',
  'include-over-limit',
  'void-over-limit',
]);

(suite === null ? describe.skip : describe)('readSpf on the RFC 7208 test suite', () => {
  it('finds every error in the domain’s own records, and none elsewhere', () => {
    const cases = readSpfSuite(suite ?? '');
    const misses = cases.filter((one) => !isRight(one));
    process.stdout.write(`RFC 7208 suite, record parsing: ${cases.length - misses.length} of ${cases.length}\n`);
    expect(cases.length).toBeGreaterThan(180);
    expect(misses).toEqual([]);
  });
});

function isRight({ name, results, texts }: SpfCase): boolean {
  if (texts === null) return results.includes('temperror') && spfFact(texts) === null;
  const reading = readSpf(texts);
  if (results.includes('permerror') && reading === 'permerror') return true;
  if (results.includes('none') && reading === 'none') return true;
  const evaluated = results.some((result) => result !== 'permerror' && result !== 'none');
  return reading === 'valid' && (evaluated || ERRORS_OF_EVALUATION.has(name));
}

/** Some records are written as a zone file has them: strings in quotes. */
function joinStrings(record: string): string {
  return record.startsWith('"') ? [...record.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text).join('') : record;
}
