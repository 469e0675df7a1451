import type { VerifyResult } from '../verify/verify.response.js';
import { csvHeader, csvRow } from './job-csv.js';

const RESULT: VerifyResult = {
  email: 'ada@company.example',
  result: 'valid',
  deliverable: true,
  reason: 'mailbox_accepts',
  mx: true,
  mx_record: 'mx.company.example',
  disposable: false,
  role: false,
  catch_all: false,
  free_email: null,
  relay: false,
  relay_provider: null,
  parked: false,
  spam_trap: false,
  spam_trap_type: null,
  suggested_correction: null,
  smtp_diagnosis: null,
  score: 0.95,
  freshness: 'fresh',
  checked_at: '2026-11-28T10:00:00.000Z',
  domain: {
    name: 'company.example',
    types: ['company', 'education'],
    score: 81,
    spf: true,
    dkim: false,
    dmarc: true,
    dmarc_policy: 'reject',
    mta_sts: false,
    tls_rpt: false,
    bimi: false,
    dane: null,
    blacklists: 0,
    dnssec: 'secure',
    caa: true,
    blocked: false,
    blocked_label: null,
  },
  decision: { recommendation: 'review', reasons: ['mailbox_accepts', 'spam_trap'] },
  degraded: false,
};

/** Parses one RFC 4180 record without its line end. */
function cellsOf(line: string): string[] {
  const cells = line.match(/("([^"]|"")*"|[^",]*)(,|$)/g) ?? [];
  return cells
    .slice(0, line.endsWith(',') ? undefined : -1)
    .map((cell) => cell.replace(/,$/, ''))
    .map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
const columns = cellsOf(csvHeader().trimEnd());
function rowOf(entry: unknown): Record<string, string> {
  const line = csvRow(JSON.stringify(entry));
  expect(line.endsWith('\r\n')).toBe(true);
  const cells = cellsOf(line.slice(0, -2));
  expect(cells).toHaveLength(columns.length);
  return Object.fromEntries(columns.map((name, i) => [name, cells[i]!]));
}

it('has a column for every field of a result, in the order of the contract, and one for errors', () => {
  const expected = Object.entries(RESULT).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null ? Object.keys(value).map((inner) => `${name}_${inner}`) : [name],
  );
  const flat = expected.filter((name) => !/^(domain|decision)_|^degraded$/.test(name));
  expect(columns).toEqual([
    ...flat,
    ...expected.filter((name) => name.startsWith('domain_')),
    ...expected.filter((name) => name.startsWith('decision_')),
    'degraded',
    'error',
  ]);
});

it('has a cell for every value, empty for null', () => {
  expect(rowOf(RESULT)).toMatchObject({
    email: 'ada@company.example',
    deliverable: 'true',
    free_email: '',
    score: '0.95',
    checked_at: '2026-11-28T10:00:00.000Z',
    domain_name: 'company.example',
    domain_types: 'company education',
    domain_score: '81',
    domain_dkim: 'false',
    domain_dane: '',
    domain_blacklists: '0',
    decision_recommendation: 'review',
    decision_reasons: 'mailbox_accepts spam_trap',
    degraded: 'false',
    error: '',
  });
});

it('leaves domain cells empty for a domain that was not crawled', () => {
  const row = rowOf({ ...RESULT, domain: null });
  expect(Object.entries(row).filter(([name, value]) => name.startsWith('domain_') && value !== '')).toEqual([]);
});

it('writes an entry error as the sent address and the error', () => {
  const row = rowOf({ email: 'no address', error: 'invalid_email' });
  expect(Object.entries(row).filter(([, value]) => value !== '')).toEqual([
    ['email', 'no address'],
    ['error', 'invalid_email'],
  ]);
  expect(rowOf({ email: null, error: 'invalid_email' })['email']).toBe('');
});

it.each<[string, string]>([
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['a\r\nb', '"a\r\nb"'],
  ['a\nb', '"a\nb"'],
  [' a ', '" a "'],
  ['a;b', '"a;b"'],
  ["o'hara@company.example", "o'hara@company.example"],
  ['jürgen@例え.example', 'jürgen@例え.example'],
])('writes %j as %j', (text, cell) => {
  const line = csvRow(JSON.stringify({ email: text, error: 'invalid_email' }));
  expect(line.slice(0, cell.length + 1)).toBe(`${cell},`);
});

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '=HYPERLINK("http://x","y")',
])('defuses %j, which a spreadsheet would run', (text) => {
  expect(rowOf({ email: text, error: 'invalid_email' })['email']).toBe(`'${text}`);
  expect(rowOf({ ...RESULT, mx_record: text })['mx_record']).toBe(`'${text}`);
});

it.each(['a=1', 'a+tag@company.example', "'=1", '1-1'])('leaves %j as it is', (text) => {
  expect(rowOf({ email: text, error: 'invalid_email' })['email']).toBe(text);
});

it('removes control characters from cells, except tabs and line ends', () => {
  const sent = 'a\u0000b\u0007\u001b[31mc\u007fd\u0085e\tf\ng\rh\u0008';
  expect(rowOf({ email: sent, error: 'invalid_email' })['email']).toBe('ab[31mcde\tf\ng\rh');
});

it('neutralises a formula behind a control character', () => {
  expect(rowOf({ email: '\u0000=1+1', error: 'invalid_email' })['email']).toBe("'=1+1");
});
