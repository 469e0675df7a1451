import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { nothingKnownOf } from '../../src/domains/domain-facts.js';
import { writeDomainFacts } from '../../src/domains/store/facts-text.js';
import { Deadline } from '../../src/engine/deadline.js';
import { mailHostGroup } from '../../src/engine/smtp/mail-host-group.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { RedisPoliteness } from '../../src/platform/politeness/redis-politeness.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, PROBER_NAME, type World } from '../lab/world.js';
import { readyRedis } from '../support/ready-redis.js';
import { waitUntil } from '../support/wait-until.js';
import { balanceOf, entriesOf, makeAccount, mismatches } from './billing-support.js';
import {
  chunkRows,
  completed,
  JobBench,
  jobRow,
  resultsOf,
  submitJobRows,
  tellWorker,
  type JobResult,
  type SubmitOptions,
} from './job-support.js';
import { jobWorld, type JobWorld } from './job-world.js';

const big = jobWorld({ domains: 60, addresses: 2000, roundTripMs: 5 });
const deep = jobWorld({ domains: 60, addresses: 600, roundTripMs: 5, prefix: 'other' });
const CLOSED_GROUP =
  '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed';
const further: World = joinWorlds(
  domainWithHost('one.example', { recipients: { ada: ACCEPTED, bob: ACCEPTED } }),
  domainWithHost('all.example', { otherRecipients: ACCEPTED }),
  ...['three-groups.example', 'five-groups.example'].map((domain) =>
    domainWithHost(domain, {
      recipients: Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`group${i}`, CLOSED_GROUP])),
      otherRecipients: ACCEPTED,
    }),
  ),
  domainWithHost('school.example', {
    recipients: { ada: ACCEPTED },
    otherRecipients: '550 5.7.1 This student is not able to receive external mail',
  }),
  domainWithHost('paused.example', { otherRecipients: ACCEPTED }),
  domainWithHost('full.example', { recipients: { ada: '552 5.2.2 <{recipient}>: Mailbox full' } }),
  domainWithHost('grey.example', {
    recipients: { ada: ACCEPTED },
    greylist: { afterMs: 500, answer: '451 4.7.1 <{recipient}>: Greylisted' },
  }),
  domainWithHost('always-grey.example', {
    otherRecipients: '451 4.7.1 <{recipient}>: Greylisted, try again in 2 seconds',
  }),
  { dns: { 'inbound.example': { MX: [[10, 'mx.sendgrid.net']] } }, hosts: { 'mx.sendgrid.net': { tcp: 'refused' } } },
);

const LIMITS = { maxConnections: 10, recipientsPerMinute: 60_000 };

let bench: JobBench;
let worker: NestFastifyApplication;

/** Both prefixes exist wherever either does. */
function together({ world }: JobWorld, other: JobWorld): World {
  const hosts = Object.entries(world.hosts).map(([name, host]) => {
    const recipients = { ...host.recipients, ...other.world.hosts[name]?.recipients };
    return [name, host.recipients === undefined ? host : { ...host, recipients }] as const;
  });
  return { ...world, hosts: Object.fromEntries(hosts) };
}

beforeAll(async () => {
  bench = await JobBench.start(joinWorlds(together(big, deep), further));
  worker = await bench.startWorker();
});
afterAll(() => bench?.close());

/** Runs a job. @returns what it came to, and what it cost in the end */
async function run(emails: readonly unknown[], options: SubmitOptions = {}) {
  const account = await makeAccount(bench.dataSource, { purchased: 10_000 });
  const sessionsBefore = bench.lab.totalSessions;
  const jobId = await submitJobRows(bench.dataSource, account, emails, options);
  tellWorker(worker, jobId);
  expect(await completed(bench.dataSource, jobId, 180_000)).toBe(true);
  const { purchased = 0, ...balance } = await balanceOf(bench.dataSource, account);
  expect(await mismatches(bench.dataSource, account)).toEqual([]);
  const results = await resultsOf(bench.dataSource, jobId);
  return {
    jobId,
    account,
    results,
    cost: 10_000 - purchased,
    balance,
    sessions: bench.lab.totalSessions - sessionsBefore,
  };
}

function wrong(results: readonly JobResult[], { emails, expect: expected }: JobWorld, mode: 'standard' | 'enhanced') {
  return results.flatMap(({ email, result, reason }, i) => {
    const right = { email: emails[i], ...expected(emails[i]!, mode) };
    const is = { email, result, reason };
    return JSON.stringify(is) === JSON.stringify(right) ? [] : [{ is, right }];
  });
}

const rcptOf = (host: string, local: string) =>
  bench.lab
    .sessions(host)
    .flatMap(({ commands }) => commands)
    .filter((line) => line.toUpperCase().startsWith(`RCPT TO:<${local}@`.toUpperCase())).length;

describe('a job of two thousand addresses', () => {
  it('gives the right verdict for each address, in order, over few connections', async () => {
    const { jobId, account, results, cost, sessions } = await run(big.emails);
    expect(results).toHaveLength(2000);
    expect(wrong(results, big, 'standard').slice(0, 5)).toEqual([]);
    expect(cost).toBe(2000);
    expect(sessions).toBeLessThanOrEqual(2000 / 5);
    expect(new Set(results.map(({ freshness }) => freshness))).toEqual(new Set(['fresh']));
    expect(await jobRow(bench.dataSource, jobId)).toMatchObject({ stage: 'done', done: 2000, total: 2000 });
    expect(new Set((await chunkRows(bench.dataSource, jobId)).map(({ state }) => state))).toEqual(new Set(['done']));
    const [crawls] = await bench.dataSource.query<{ used: number }[]>(
      'SELECT used FROM crawl_counts WHERE account_id = ?',
      [idToBytes(account)],
    );
    expect(crawls?.used).toBe(new Set(big.emails.map((email) => email.split('@')[1])).size);
  });

  it('does not probe addresses with a cached check', async () => {
    const greylisted = big.emails.filter((email) => big.kindOf(email) === 'greylisting');
    const others = big.emails.filter((email) => big.kindOf(email) !== 'greylisting');
    const { results, sessions, cost } = await run([...others, ...greylisted.slice(0, 10)]);
    expect(sessions).toBe(0);
    expect(cost).toBe(results.length);
    expect(new Set(results.map(({ freshness }) => freshness))).toEqual(new Set(['cached_recent']));
  });

  it('in enhanced mode detects catch-alls, with one random recipient per domain', async () => {
    // A host that has refused us is left alone, and the job would wait for it.
    const emails = deep.emails.filter((email) => deep.kindOf(email) !== 'refusing_us');
    const { results, cost } = await run(emails, { mode: 'enhanced' });
    expect(wrong(results, { ...deep, emails }, 'enhanced').slice(0, 5)).toEqual([]);
    expect(cost).toBe(3 * emails.length);
    const polite = deep.emails.find((email) => deep.kindOf(email) === 'polite')!;
    const host = `mx.${polite.slice(polite.indexOf('@') + 1)}`;
    const asked = bench.lab.sessions(host).flatMap(({ commands }) => commands.filter((line) => /^RCPT/i.test(line)));
    const known = asked.filter((line) => /<(person|other)\./i.test(line));
    expect(asked.length - known.length).toBe(1);
  });
});

describe('the outcome', () => {
  it('shows the current facts of its domain, and queues every domain for a crawl', async () => {
    const { dataSource } = bench;
    const facts = writeDomainFacts({ ...nothingKnownOf('one.example'), mx: true, spf: true });
    await dataSource.query(
      `INSERT INTO domains (domain, facts, asked_at, crawled_at, due_at, queue_at)
        VALUES ('one.example', ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), NULL, UTC_TIMESTAMP(3))
        ON DUPLICATE KEY UPDATE facts = VALUES(facts)`,
      [facts],
    );
    const { results } = await run(['first@one.example', 'first@full.example']);
    expect(results).toMatchObject([{ domain: { name: 'one.example', spf: true, dmarc: null } }, { domain: null }]);
    const isAskedFor = async () =>
      (await dataSource.query<unknown[]>(`SELECT domain FROM domains WHERE domain = 'full.example'`)).length === 1;
    expect(await waitUntil(isAskedFor, { ms: 60_000 })).toBe(true);
  });

  it('of a repeated address is shared by all its entries, and each pays', async () => {
    const emails = ['ada@one.example', 'bob@one.example', ' ADA@one.example', '"ada"@one.example', 'nemo@one.example'];
    const { results, cost } = await run(emails);
    expect(results.map(({ email, result }) => [email, result])).toEqual([
      ['ada@one.example', 'valid'],
      ['bob@one.example', 'valid'],
      ['ada@one.example', 'valid'],
      ['"ada"@one.example', 'valid'],
      ['nemo@one.example', 'invalid'],
    ]);
    expect(cost).toBe(5);
    expect(rcptOf('mx.one.example', 'ada')).toBe(1);
  });

  it('of an invalid address is immediate, and a job of only invalid ones is completed at once, for free', async () => {
    const { results, cost } = await run(['no address', 7, null, 'a@b']);
    expect(results).toEqual([
      { email: 'no address', error: 'invalid_email' },
      { email: null, error: 'invalid_email' },
      { email: null, error: 'invalid_email' },
      { email: 'a@b', error: 'invalid_email' },
    ]);
    expect(cost).toBe(0);
  });

  it('of a greylisted address waits for one retry, whatever its result', async () => {
    const began = performance.now();
    const { results, cost, jobId } = await run(['ada@grey.example', 'ada@always-grey.example', 'bob@one.example']);
    expect(results.map(({ result, reason }) => [result, reason])).toEqual([
      ['valid', 'mailbox_accepts'],
      ['unknown', 'greylisted'],
      ['valid', 'mailbox_accepts'],
    ]);
    expect(cost).toBe(3);
    // The host that named a delay is asked after that, through the same egress.
    expect(performance.now() - began).toBeGreaterThan(3000);
    expect(rcptOf('mx.grey.example', 'ada')).toBe(2);
    expect(rcptOf('mx.always-grey.example', 'ada')).toBe(2);
    const retries = (await chunkRows(bench.dataSource, jobId)).filter(({ kind }) => kind === 'retry');
    expect(retries).toMatchObject([{ state: 'done', egress: expect.any(String) as string }]);
  });
});

describe('the price in enhanced mode', () => {
  it('is the standard rate if the DNS shows an accept-all host, and the rest is refunded', async () => {
    const emails = ['ada@inbound.example', 'info@inbound.example', 'bob@one.example', 'eve@full.example'];
    const { results, cost, account } = await run(emails, { mode: 'enhanced' });
    expect(results.map(({ reason }) => reason)).toEqual([
      'accept_all_provider',
      'role_address',
      'mailbox_accepts',
      'mailbox_not_found',
    ]);
    expect(cost).toBe(1 + 1 + 3 + 3);
    const references = (await entriesOf(bench.dataSource, account)).map(({ reference }) => reference);
    expect(references.filter((reference) => /:\d-rate$/.test(reference))).toHaveLength(2);
  });

  it('is the standard rate if the domain was a known catch-all at the submit, not if the job found it out', async () => {
    const first = await run(['ada@all.example', 'bob@all.example'], { mode: 'enhanced' });
    expect(first.results.map(({ reason }) => reason)).toEqual(['catch_all_domain', 'catch_all_domain']);
    expect(first.cost).toBe(6);
    const known = { mode: 'enhanced', catchAlls: ['all.example'] } as const;
    const { results, cost, sessions } = await run(['cid@all.example', 'dot@all.example'], known);
    expect(results.map(({ reason, catch_all }) => [reason, catch_all])).toEqual([
      ['catch_all_domain', true],
      ['catch_all_domain', true],
    ]);
    expect([cost, sessions]).toEqual([2, 0]);
    // The submit did not see it, a moment before it was found out.
    expect((await run(['eve@all.example'], { mode: 'enhanced' })).cost).toBe(1);
  });

  it('is a free verify if the allowance pays, without a refund', async () => {
    const { cost, balance } = await run(['eve@inbound.example', 'bob@one.example'], {
      mode: 'enhanced',
      freeVerifiesPerMonth: 10,
    });
    expect(cost).toBe(0);
    expect(balance).toMatchObject({ free_verifies_used: 2 });
  });
});

describe('recipients that take mail from some senders only', () => {
  const people = ['real0', 'real1', 'real2', 'real3', 'real4'];

  it.each([
    ['three groups', 'three-groups.example', ['group0', 'group1', 'group2'], people],
    ['five groups', 'five-groups.example', ['group0', 'group1', 'group2', 'group3', 'group4'], people],
    ['pupils', 'school.example', ['ben', 'cleo', 'dan', 'eva'], ['ada']],
  ])('are unknown, without affecting others of their domain: %s', async (_who, domain, restricted, others) => {
    const { jobId, results } = await run([...restricted, ...others].map((local) => `${local}@${domain}`));
    expect(results.map(({ result, reason }) => [result, reason])).toEqual([
      ...restricted.map(() => ['unknown', 'smtp_unreachable']),
      ...others.map(() => ['valid', 'mailbox_accepts']),
    ]);
    // Nobody waited for the end of a back-off.
    expect(await chunkRows(bench.dataSource, jobId)).toHaveLength(1);
  });
});

it('an address at a backed-off mail host is probed after the pause, and delays no other', async () => {
  const redis = await readyRedis(bench.redis.url);
  const politeness = new RedisPoliteness(redis, { limits: LIMITS });
  const deadline = Deadline.after(60_000);
  const asked = { group: mailHostGroup('mx.paused.example', null), provider: null, domain: 'paused.example' };
  const leave = async () =>
    politeness.acquire({ ...asked, egressId: `direct/${PROBER_NAME}`, recipients: 1, deadline, patienceMs: 0 });
  try {
    const granted = await leave();
    if (granted.kind === 'granted') granted.release({ kind: 'session_refused', retryAfterSeconds: 3600 });
    expect(await waitUntil(async () => (await leave()).kind === 'backed_off', { ms: 30_000 })).toBe(true);
    const account = await makeAccount(bench.dataSource, { purchased: 10 });
    const emails = ['ada@paused.example', 'bob@paused.example', 'ada@full.example', 'x@all.example'];
    const jobId = await submitJobRows(bench.dataSource, account, emails);
    tellWorker(worker, jobId);
    const othersDone = async () => (await jobRow(bench.dataSource, jobId)).done === 2;
    expect(await waitUntil(othersDone, { ms: 60_000 })).toBe(true);
    const isPutOff = async () => {
      const due = (await chunkRows(bench.dataSource, jobId)).filter(({ state }) => state === 'due');
      return due.length === 1 && due[0]!.begun === 0 && due[0]!.due_at.getTime() > Date.now() + 20_000;
    };
    expect(await waitUntil(isPutOff, { ms: 60_000 })).toBe(true);
    expect(await jobRow(bench.dataSource, jobId)).toMatchObject({ status: 'processing', done: 2 });

    await redis.del(...(await redis.keys('mailvet:politeness:*')));
    await bench.dataSource.query(
      "UPDATE job_chunks SET due_at = UTC_TIMESTAMP(3), queued_at = UTC_TIMESTAMP(3) - INTERVAL 60 SECOND WHERE job_id = ? AND state = 'due'",
      [idToBytes(jobId)],
    );
    expect(await completed(bench.dataSource, jobId)).toBe(true);
    expect((await resultsOf(bench.dataSource, jobId)).slice(0, 2)).toMatchObject([
      { result: 'valid' },
      { result: 'valid' },
    ]);
  } finally {
    deadline.release();
    redis.disconnect();
  }
});
