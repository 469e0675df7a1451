import { downloadName } from './download-name';
import { ResultColumns } from './entry-results';
import { madeUpResults } from './file/testing/made-up-results';
import { filterResults } from './filter-results';
import { listPrice } from './list-price';

describe('listPrice', () => {
  const balance = (total: number, remaining: number | null, limit: number | null = 100_000) => ({
    credits: { total },
    free_verifies: { limit, remaining },
  });

  it('takes credits for each address, three in enhanced mode', () => {
    expect(listPrice([10_000, 500], 'standard', balance(20_000, 0))).toEqual({
      credits: 10_500,
      freeVerifies: 0,
      missing: 0,
    });
    expect(listPrice([10_000, 500], 'enhanced', balance(20_000, 0))).toEqual({
      credits: 31_500,
      freeVerifies: 0,
      missing: 11_500,
    });
  });

  it('lets the free verifies pay for whole parts only', () => {
    expect(listPrice([10_000, 500], 'standard', balance(0, 9000))).toEqual({
      credits: 10_000,
      freeVerifies: 500,
      missing: 10_000,
    });
    expect(listPrice([10_000, 500], 'enhanced', balance(0, 10_500))).toEqual({
      credits: 0,
      freeVerifies: 10_500,
      missing: 0,
    });
  });

  it('is free where free verifies are unlimited', () => {
    expect(listPrice([10_000], 'standard', balance(0, null, null))).toEqual({
      credits: 0,
      freeVerifies: 10_000,
      missing: 0,
    });
  });
});

describe('filterResults', () => {
  const emails = Array.from({ length: 10_000 }, (_, index) => `${index % 3 === 0 ? 'bad' : 'ok'}${index}@example.com`);
  const results = madeUpResults(emails);
  const all = { text: '', verdicts: [], reason: '' };

  it('finds by a piece of the address, by verdict and by reason', () => {
    expect(filterResults(results, { ...all, text: 'BAD9999@' }, null)).toEqual([9999]);
    expect(filterResults(results, { ...all, verdicts: ['invalid'] }, null)).toHaveLength(3334);
    expect(filterResults(results, { ...all, reason: 'mailbox_accepts' }, null)).toHaveLength(6666);
    expect(filterResults(results, { text: '9', verdicts: ['valid'], reason: 'mailbox_not_found' }, null)).toEqual([]);
  });

  it('sorts in both directions, what is not known last', () => {
    const few = { ...madeUpResults(['b@example.com', 'a@example.com', 'c@example.com']), score: [0.5, null, 0.9] };
    expect(filterResults(few, all, { key: 'email', descending: false })).toEqual([1, 0, 2]);
    expect(filterResults(few, all, { key: 'score', descending: false })).toEqual([0, 2, 1]);
    expect(filterResults(few, all, { key: 'score', descending: true })).toEqual([2, 0, 1]);
  });
});

/** Fields of a result that no column shows. */
const OF_NO_COLUMN = {
  mx: true,
  mx_record: 'mx.example.com',
  disposable: false,
  role: false,
  catch_all: false,
  free_email: null,
  relay: false,
  relay_provider: null,
  parked: false,
  spam_trap: false,
  spam_trap_type: null,
  smtp_diagnosis: null,
  freshness: 'fresh',
  checked_at: null,
  domain: null,
  degraded: false,
} as const;

describe('ResultColumns', () => {
  it('reads results, entries that are no address, and entries that we failed', () => {
    const columns = new ResultColumns();
    columns.add([
      {
        email: 'ann@example.com',
        result: 'valid',
        reason: 'mailbox_accepts',
        deliverable: true,
        decision: { recommendation: 'allow', reasons: [] },
        score: 0.95,
        suggested_correction: null,
        provider: 'google',
        ...OF_NO_COLUMN,
      },
      { email: 'nonsense', error: 'invalid_email', suggested_correction: null },
      { email: 'cy@example,com', error: 'invalid_email', suggested_correction: 'cy@example.com' },
      { email: 'bob@example.com', error: 'verify_unavailable', suggested_correction: null },
    ]);
    expect(columns).toEqual({
      email: ['ann@example.com', 'nonsense', 'cy@example,com', 'bob@example.com'],
      result: ['valid', 'invalid', 'invalid', ''],
      reason: ['mailbox_accepts', 'bad_syntax', 'bad_syntax', 'verify_unavailable'],
      deliverable: [true, false, false, null],
      decision: ['allow', 'deny', 'deny', 'review'],
      score: [0.95, 0, 0, null],
      suggestion: ['', '', 'cy@example.com', ''],
      provider: ['google', '', '', ''],
    });
  });
});

describe('downloadName', () => {
  it.each([
    ['leads.csv', 'deliverable', 'text', 'leads-deliverable.csv'],
    ['leads.tsv', 'everything', 'text', 'leads-checked.tsv'],
    ['leads.2026.xlsx', 'review', 'xlsx', 'leads.2026-review.csv'],
    ['leads', 'everything', 'text', 'leads-checked.csv'],
  ] as const)('%s, %s: %s', (name, selection, kind, expected) => {
    expect(downloadName(name, selection, kind)).toBe(expected);
  });
});
