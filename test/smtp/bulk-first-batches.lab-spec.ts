import { FirstBatches } from '../../src/engine/smtp/bulk/first-batches.js';
import { LimitedPoliteness } from '../../src/platform/politeness/limited-politeness.js';
import { LocalThrottleStore } from '../../src/platform/politeness/local-throttle-store.js';
import { BulkBench, emailsOf } from './support/bulk-bench.js';
import { EHLO_PIPELINING, type Answer, type Behaviour } from './support/scripted-host.js';

const knowsReal = (path: string): string => (path.startsWith('real') ? '250 2.1.5 ok' : '550 5.1.1 no such user');
const healthy: Behaviour = { ehlo: EHLO_PIPELINING, coalesce: true, rcpt: knowsReal };
const PER_DOMAIN = 20;
/** EHLO, then MAIL with all of a domain. */
const IN_ONE_BATCH = 2;
const IN_TWO_BATCHES = 3;

/** A list that many hosts have answered. */
function listOf(errors: number): FirstBatches {
  const list = new FirstBatches();
  list.note({ answered: 1000, errors }, false);
  return list;
}

describe('the first batch at a host of a list', () => {
  let bench: BulkBench;
  const start = async (...behaviours: Behaviour[]): Promise<void> => {
    bench = await BulkBench.start(...behaviours);
  };
  afterEach(() => bench.stop());

  /** Asks each host about a domain of its own, one after the other. @returns the round trips of each first session */
  const askEach = async (nth: number, listAt: () => FirstBatches | undefined): Promise<number[]> => {
    for (const [index, host] of bench.bench.mailHosts.entries()) {
      const emails = emailsOf(`domain${index}.test`, PER_DOMAIN, nth);
      const facts = await bench.facts(emails, { hosts: [host], list: listAt() });
      const right = emails.map((email) => (email.startsWith('real') ? 'accepted' : 'mailbox_not_found'));
      expect(facts.map((fact) => fact.class)).toEqual(right);
    }
    return bench.bench.hosts.map(({ visits }) => visits[0]?.flights ?? 0);
  };
  const tenHosts = Array.from({ length: 10 }, () => healthy);

  it('is five until some hosts have answered, then a whole domain if few recipients are errors', async () => {
    await start(...tenHosts);
    const list = new FirstBatches();
    const roundTrips = await askEach(1, () => list);
    expect(roundTrips).toEqual([...Array<number>(5).fill(IN_TWO_BATCHES), ...Array<number>(5).fill(IN_ONE_BATCH)]);
  });

  it('stays five if half of the recipients are errors', async () => {
    await start(...tenHosts);
    const list = new FirstBatches();
    const roundTrips = await askEach(2, () => list);
    expect(Math.min(...roundTrips)).toBeGreaterThan(IN_ONE_BATCH);
    expect(list.size).toBe(5);
  });

  it('may be answered as a whole, a moment for each recipient', async () => {
    const held: Behaviour = { ...healthy, rcpt: (path) => ({ text: knowsReal(path), delayMs: 60 }) };
    await start(held);
    const emails = emailsOf('domain.test', PER_DOMAIN);
    const facts = await bench.facts(emails, { list: listOf(0), commandTimeoutMs: 600 });
    expect(facts.map(({ stage, ending }) => `${stage} ${ending}`)).toEqual(emails.map(() => 'rcpt reply'));
    expect(bench.bench.hosts[0]?.visits[0]?.flights).toBe(IN_ONE_BATCH);
  });

  it('says nothing about another list', async () => {
    await start(...tenHosts);
    expect(await askEach(1, () => undefined)).toEqual(Array<number>(10).fill(IN_TWO_BATCHES));
  });

  it('counts the recipients of the list, not random ones', async () => {
    await start(healthy);
    const list = new FirstBatches();
    await bench.facts(emailsOf('example.com', PER_DOMAIN, 1), { list, randomRecipient: true });
    expect(list.errorShare).toBe(10 / 14);
  });

  it('is judged to the last recipient where a host is told of unknown ones alone', async () => {
    await start(healthy);
    await bench.facts(
      Array.from({ length: PER_DOMAIN }, (_, index) => `ghost${index}@example.com`),
      { list: listOf(0) },
    );
    expect(bench.recipients().map((session) => session.length)).toEqual([PER_DOMAIN]);
  });

  it('stays within ten once a host has hung up for more errors', async () => {
    const impatient: Answer = { text: '421 4.7.0 Error: too many errors', after: 'close' };
    await start(
      { ...healthy, coalesce: false, rcpt: (path, nth) => (nth > 12 ? impatient : knowsReal(path)) },
      healthy,
    );
    const list = listOf(0);
    const ghosts = Array.from({ length: PER_DOMAIN }, (_, index) => `ghost${index}@example.com`);
    const [first, second] = bench.bench.mailHosts;
    for (const host of [first!, second!]) {
      const facts = await bench.facts(ghosts, { list, hosts: [host] });
      expect(new Set(facts.map((fact) => fact.class))).toEqual(new Set(['mailbox_not_found']));
    }
    expect(list.size).toBe(10);
  });

  it('is no larger than what the pace allows at once', async () => {
    await start(healthy);
    const politeness = new LimitedPoliteness(new LocalThrottleStore(), {
      limits: { maxConnections: 2, recipientsPerMinute: 60 },
    });
    const emails = emailsOf('example.com', PER_DOMAIN, 1);
    const outcomes = [...(await bench.outcomes(emails, { politeness, list: listOf(0), patienceMs: 100 })).values()];
    expect(bench.recipients().map((session) => session.length)).toEqual([10]);
    expect(outcomes.filter(({ kind }) => kind === 'facts')).toHaveLength(10);
    expect(politeness.state).toEqual({ held: 0, waiting: 0 });
  });
});
