import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { nothingKnownOf, type DomainFacts } from '../../src/domains/domain-facts.js';
import { writeDomainFacts } from '../../src/domains/store/facts-text.js';
import { SMTP_DIAGNOSES } from '../../src/engine/smtp/classification.js';
import { MODES, REASONS, RESULTS, type Mode } from '../../src/engine/verdict/result.js';
import { DOMAIN_PROFILES } from '../../src/verify/sandbox/domain-profiles.js';
import { ask, BillingBench, type Answered, type Caller } from '../integration/billing-api.js';
import { askJobs, submitJob } from '../integration/jobs-api.js';
import { jsonLines } from '../support/shared-data.js';
import { readVerifyResult, type ShownResult } from './verify-result-shape.js';

/** Each line: `[mode, result]`. What a quick call is answered is the same as a standard one. */
const GOLDEN = resolve(__dirname, 'golden/sandbox.jsonl');
/**
 * Writes the golden results anew, from what `single` answers:
 * `UPDATE_SANDBOX_GOLDEN=1 npx jest test/contract/sandbox --selectProjects=contract`.
 * A line that changes breaks a promise to those who test against the sandbox, unless a field was added.
 */
const isUpdate = process.env['UPDATE_SANDBOX_GOLDEN'] === '1';

const TABLE = ['valid', 'invalid', 'catch-all', 'catchall', 'disposable', 'role', 'unknown', 'pending'];
/** Together they have everything that a result can say. */
const DERIVED = ['async', 'slowjob', 'valid+tag', '"a b"', 'jürgen'].concat(
  [
    1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 14, 15, 19, 28, 30, 32, 34, 36, 37, 44, 53, 58, 61, 67, 74, 82, 101, 118, 179, 257,
  ].map((number) => `user-${number}`),
);
const EMAILS = [...TABLE, ...DERIVED].map((localPart) => `${localPart}@example.com`);
const NO_ADDRESS = 'Not An Address';
const UNAVAILABLE = { code: 'verify_unavailable', message: 'The verification could not be completed; retry.' };
const RATE_LIMITED = {
  code: 'rate_limit_exceeded',
  message: 'This is the refusal that the sandbox was asked for; wait and try again.',
};

let bench: BillingBench;
let api: NestFastifyApplication;
let caller: Caller;
let golden: ReadonlyMap<string, string>;

const keyOf = (mode: Mode, email: string): string => `${mode === 'enhanced' ? mode : 'standard'} ${email}`;
const goldenText = (mode: Mode, email: string): string => golden.get(keyOf(mode, email)) ?? 'no such line';
const single = (email: unknown, mode: Mode): Promise<Answered> =>
  ask(api, caller.test, { payload: JSON.stringify({ email, mode }) });
const batch = (emails: readonly unknown[], mode: Mode): Promise<Answered> =>
  ask(api, caller.test, { url: '/v1/verify/batch', payload: JSON.stringify({ emails, mode }) });

/** A job submitted and, where it is not to take a while, read. */
async function job(
  emails: readonly unknown[],
  mode: Mode,
): Promise<{ status: number; results: string; error: unknown }> {
  const submitted = await submitJob(api, caller.test, emails, { mode });
  if (submitted.status !== 202) return { status: submitted.status, results: '', error: submitted.body['error'] };
  const id = String(submitted.body['id']);
  // Those with `async` or `slowjob` in it need not be waited for here.
  await bench.database.dataSource.query('UPDATE jobs SET completed_at = created_at');
  const { status, text } = await askJobs(api, caller.test, { path: `/${id}` });
  return { status, results: text.slice(text.indexOf('"results":') + '"results":'.length, -1), error: null };
}

async function writeGolden(): Promise<void> {
  const lines: string[] = [];
  for (const mode of ['standard', 'enhanced'] as const) {
    for (const email of [...EMAILS, NO_ADDRESS]) lines.push(`["${mode}",${(await single(email, mode)).text}]`);
  }
  writeFileSync(GOLDEN, `${lines.join('\n')}\n`);
}

beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi();
  caller = await bench.newCaller('free-100', { purchased: 100 });
  if (isUpdate) await writeGolden();
  const lines = jsonLines<[Mode, ShownResult]>(readFileSync(GOLDEN, 'utf8'));
  golden = new Map(lines.map(([mode, result]) => [keyOf(mode, result.email), JSON.stringify(result)]));
});
afterAll(() => bench.close());

const results = (): ShownResult[] => [...golden.values()].map((text) => readVerifyResult(JSON.parse(text)));

describe('the golden results', () => {
  it('are in the file as they are sent', () => {
    const text = readFileSync(GOLDEN, 'utf8');
    expect(text).toBe([...golden].map(([key, result]) => `["${key.slice(0, key.indexOf(' '))}",${result}]\n`).join(''));
    expect(golden.size).toBe(2 * (EMAILS.length + 1));
  });

  it('cover every result, reason, diagnosis and flag', () => {
    const said = <K extends keyof ShownResult>(key: K) => new Set(results().map((result) => result[key]));
    expect(said('result')).toEqual(new Set(RESULTS));
    expect(said('reason')).toEqual(new Set([...REASONS, null]));
    expect(said('deliverable')).toEqual(new Set([true, false, null]));
    expect(said('smtp_diagnosis')).toEqual(new Set([...SMTP_DIAGNOSES, null]));
    expect(said('freshness')).toEqual(new Set(['fresh', 'cached_recent', 'cached_stale_refreshed']));
    expect(said('spam_trap_type')).toEqual(new Set(['known_trap_domain', 'reputation_heuristic', null]));
    expect(said('free_email')).toEqual(new Set([true, false, null]));
    for (const key of ['mx', 'disposable', 'role', 'catch_all', 'relay', 'parked'] as const) {
      expect([key, said(key)]).toEqual([key, new Set([true, false])]);
    }
    expect(said('domain').has(null)).toBe(true);
    expect(results().some(({ domain }) => domain?.blocked === true && domain.blocked_label !== null)).toBe(true);
  });

  it('match the table of the contract', () => {
    const told = Object.fromEntries(
      TABLE.map((localPart) => {
        const { result, deliverable, reason } = JSON.parse(
          goldenText('standard', `${localPart}@example.com`),
        ) as ShownResult;
        return [localPart, [result, deliverable, reason]];
      }),
    );
    expect(told).toEqual({
      valid: ['valid', true, 'mailbox_accepts'],
      invalid: ['invalid', false, 'mailbox_not_found'],
      'catch-all': ['catch_all', null, 'catch_all_domain'],
      catchall: ['catch_all', null, 'catch_all_domain'],
      disposable: ['disposable', null, 'disposable_provider'],
      role: ['role', null, 'role_address'],
      unknown: ['unknown', null, 'greylisted'],
      pending: ['unknown', null, 'verification_pending'],
    });
    const { score } = JSON.parse(goldenText('standard', 'valid@example.com')) as ShownResult;
    expect(score).toBeCloseTo(0.95, 2);
  });

  it('differ between modes only in the diagnosis, which only enhanced ones have', () => {
    for (const email of EMAILS) {
      const [standard, enhanced] = (['standard', 'enhanced'] as const).map(
        (mode) => JSON.parse(goldenText(mode, email)) as ShownResult,
      );
      expect(standard).toEqual({ ...enhanced, smtp_diagnosis: null });
    }
  });
});

describe.each(MODES)('in %s mode', (mode) => {
  it('single answers the golden bytes', async () => {
    for (const email of [...EMAILS, NO_ADDRESS]) {
      const { status, text, headers } = await single(email, mode);
      expect([status, text]).toEqual([200, goldenText(mode, email.trim().toLowerCase())]);
      expect(headers['retry-after']).toBe(email.startsWith('pending@') ? '2' : undefined);
    }
  });

  it('single returns the requested failure', async () => {
    const limited = await single('ratelimit@example.com', mode);
    expect([limited.status, limited.body, limited.headers['retry-after']]).toEqual([429, { error: RATE_LIMITED }, '1']);
    const failed = await single('servererror@example.com', mode);
    expect([failed.status, failed.body, failed.headers['retry-after']]).toEqual([503, { error: UNAVAILABLE }, '5']);
  });

  it('batch answers the golden bytes, in the order sent', async () => {
    const { status, text, headers } = await batch(EMAILS, mode);
    expect([status, text]).toEqual([200, `{"results":[${EMAILS.map((email) => goldenText(mode, email)).join(',')}]}`]);
    expect(headers['retry-after']).toBe('10');
    const settled = await batch(['valid@example.com', 'unknown@example.com'], mode);
    expect(settled.headers['retry-after']).toBeUndefined();
  });

  it('batch returns errors of entries, and the requested failure', async () => {
    const { status, body } = await batch([NO_ADDRESS, 42, ' ServerError@example.com '], mode);
    expect([status, body]).toEqual([
      200,
      {
        results: [
          { email: NO_ADDRESS, error: 'invalid_email' },
          { email: null, error: 'invalid_email' },
          { email: ' ServerError@example.com ', error: 'verify_unavailable' },
        ],
      },
    ]);
    const limited = await batch(['valid@example.com', 'ratelimit@example.com', NO_ADDRESS], mode);
    expect([limited.status, limited.body, limited.headers['retry-after']]).toEqual([429, { error: RATE_LIMITED }, '1']);
  });
});

describe.each(['standard', 'enhanced'] as const)('a job in %s mode', (mode) => {
  it('has the golden bytes, in the order sent', async () => {
    const { status, results: text } = await job(EMAILS, mode);
    expect([status, text]).toEqual([200, `[${EMAILS.map((email) => goldenText(mode, email)).join(',')}]`]);
  });

  it('returns errors of entries, and its submit the requested failure', async () => {
    const { status, results: text } = await job([NO_ADDRESS, 42, ' ServerError@example.com '], mode);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      [
        { email: NO_ADDRESS, error: 'invalid_email' },
        { email: null, error: 'invalid_email' },
        { email: ' ServerError@example.com ', error: 'verify_unavailable' },
      ],
    ]);
    const limited = await job(['valid@example.com', 'RateLimit@example.com'], mode);
    expect([limited.status, limited.error]).toEqual([429, RATE_LIMITED]);
  });
});

it('a quick job is refused like a live one', async () => {
  expect(await job(['valid@example.com'], 'quick')).toMatchObject({
    status: 422,
    error: { code: 'validation_failed' },
  });
});

describe('a live result', () => {
  /** Crawled; the others are not. */
  const CRAWLED = 'company.example';
  const LIVE = ['ada', 'nobody', 'info'].map((localPart) => `${localPart}@${CRAWLED}`);

  beforeAll(async () => {
    const facts: DomainFacts = { ...nothingKnownOf(CRAWLED), ...DOMAIN_PROFILES.best.facts };
    await bench.database.dataSource.query(
      'INSERT INTO domains (domain, facts, asked_at, crawled_at) VALUES (?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))',
      [CRAWLED, writeDomainFacts(facts)],
    );
  });

  it.each(MODES)('has the keys of a sandbox result, in order and with the same types, in %s mode', async (mode) => {
    const sandbox = JSON.parse(goldenText(mode, 'valid@example.com')) as ShownResult;
    for (const email of [...LIVE, 'ada@known-catch-all.example', 'ada@nowhere.example', NO_ADDRESS]) {
      const { status, body } = await ask(api, caller.live, { payload: JSON.stringify({ email, mode }) });
      expect(status).toBe(200);
      const { domain } = readVerifyResult(body);
      expect(Object.keys(body)).toEqual(Object.keys(sandbox));
      expect([email, domain !== null]).toEqual([email, LIVE.includes(email)]);
      if (domain !== null) expect(Object.keys(domain)).toEqual(Object.keys(sandbox.domain!));
    }
  });
});
