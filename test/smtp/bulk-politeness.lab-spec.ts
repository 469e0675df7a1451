import { StaticCuratedLists, NOTHING_LISTED } from '../../src/engine/signals/static-curated-lists.js';
import { FirstBatches } from '../../src/engine/smtp/bulk/first-batches.js';
import type { Politeness, PolitenessRequest, SessionsOutcome } from '../../src/engine/smtp/politeness.js';
import { LimitedPoliteness } from '../../src/platform/politeness/limited-politeness.js';
import { LocalThrottleStore } from '../../src/platform/politeness/local-throttle-store.js';
import { BulkBench, emailsOf, factsOf } from './support/bulk-bench.js';
import { EHLO_PIPELINING, type Answer, type Behaviour } from './support/scripted-host.js';

const knowsReal = (path: string): Answer => (path.startsWith('real') ? '250 2.1.5 ok' : '550 5.1.1 no such user');
const healthy: Behaviour = { ehlo: EHLO_PIPELINING, rcpt: knowsReal };
const EMAILS = emailsOf('example.com', 40);

/** Grants everything, and writes down what was asked for and given back. */
class Watched implements Politeness {
  readonly asked: PolitenessRequest[] = [];
  readonly released: { readonly domain: string; readonly outcome: SessionsOutcome }[] = [];
  /** Of permits for further recipients on a connection. */
  readonly releasedConnected: SessionsOutcome['kind'][] = [];
  /** Recipients reported as asked about beyond those requested. */
  further = 0;
  open = 0;
  most = 0;

  constructor(
    private readonly answer: (request: PolitenessRequest, nth: number) => 'granted' | 'backed_off' | 'full',
  ) {}

  acquire(request: PolitenessRequest): ReturnType<Politeness['acquire']> {
    this.asked.push(request);
    const kind = this.answer(request, this.asked.length);
    if (kind !== 'granted') return Promise.resolve({ kind });
    if (request.connected !== true) this.most = Math.max(this.most, (this.open += 1));
    let over = false;
    return Promise.resolve({
      kind,
      recipients: request.recipients,
      release: (outcome, asked = 0) => {
        if (over) throw new Error('given back twice');
        over = true;
        this.further += Math.max(0, asked - request.recipients);
        if (request.connected !== true) this.open -= 1;
        if (request.connected === true) this.releasedConnected.push(outcome.kind);
        this.released.push({ domain: request.domain, outcome });
      },
    });
  }
}

describe('many recipients with politeness', () => {
  let bench: BulkBench;
  const start = async (...behaviours: Behaviour[]): Promise<void> => {
    bench = await BulkBench.start(...behaviours);
  };
  const sessions = (index = 0): number => bench.bench.hosts[index]?.visits.length ?? 0;
  afterEach(() => bench.stop());

  it('acquires permits for each connection and all recipients, and releases all of them', async () => {
    await start(healthy);
    const politeness = new Watched(() => 'granted');
    await bench.facts(EMAILS, { politeness, randomRecipient: true });
    expect(politeness.asked.filter(({ connected }) => connected !== true)).toHaveLength(sessions());
    const recipients = politeness.asked.reduce((sum, request) => sum + request.recipients, 0);
    expect(recipients).toBe(bench.recipients().flat().length);
    expect(politeness.released).toHaveLength(politeness.asked.length);
    expect(politeness.open).toBe(0);
    const served = politeness.released.filter(({ outcome }) => outcome.kind === 'served');
    expect(served).toHaveLength(sessions());
  });

  it('reports once for each connection that the host served us, not for each batch', async () => {
    await start(healthy);
    const politeness = new Watched(() => 'granted');
    await bench.facts(EMAILS, { politeness, maxConnections: 1 });
    expect(politeness.releasedConnected.length).toBeGreaterThan(1);
    expect(new Set(politeness.releasedConnected)).toEqual(new Set(['no_answer']));
    expect(politeness.released.at(-1)?.outcome.kind).toBe('served');
  });

  it('acquires a permit for each domain, over one connection', async () => {
    await start(healthy);
    const politeness = new Watched(({ domain }) => (domain === 'example.org' ? 'backed_off' : 'granted'));
    const domains = ['example.com', 'example.org', 'example.net'];
    const emails = domains.flatMap((domain) => emailsOf(domain, 4));
    const facts = await bench.facts(emails, { politeness });
    for (const [index, email] of emails.entries()) {
      expect(facts[index]?.ending).toBe(email.endsWith('.org') ? 'backed_off' : 'reply');
    }
    expect(sessions()).toBe(1);
    expect(politeness.released).toHaveLength(2);
  });

  it('probes nobody while the limits are full, and reports that it is busy', async () => {
    await start(healthy);
    const outcomes = await bench.outcomes(EMAILS, { politeness: new Watched(() => 'full') });
    expect([...outcomes.values()].every((outcome) => outcome.kind === 'unavailable' && outcome.busy === true)).toBe(
      true,
    );
    expect(sessions()).toBe(0);
  });

  it('returns recipients beyond the limits as busy, and keeps its findings', async () => {
    await start(healthy);
    const politeness = new Watched((_, nth) => (nth <= 2 ? 'granted' : 'full'));
    const outcomes = [...(await bench.outcomes(EMAILS, { politeness })).values()];
    expect(outcomes.filter(({ kind }) => kind === 'facts').length).toBeGreaterThanOrEqual(10);
    const others = outcomes.filter((outcome) => outcome.kind === 'unavailable');
    expect(others.length).toBeGreaterThan(0);
    expect(others.every((outcome) => outcome.busy === true)).toBe(true);
    expect(politeness.open).toBe(0);
  });

  it('continues over its connection if it gets no further one', async () => {
    await start(healthy);
    const politeness: Watched = new Watched(({ connected }) =>
      connected === true || politeness.open === 0 ? 'granted' : 'full',
    );
    const emails = emailsOf('example.com', 300, 1);
    const facts = await bench.facts(emails, { politeness, patienceMs: 0 });
    expect(facts.every((fact) => fact.class === 'accepted')).toBe(true);
    expect(politeness.most).toBe(1);
  });

  it('opens another connection if a long one gets no further permit', async () => {
    await start(healthy);
    const politeness = new Watched(({ connected }) => (connected === true ? 'full' : 'granted'));
    const facts = await bench.facts(EMAILS, { politeness, maxConnections: 1 });
    expect(facts.every((fact) => fact.ending === 'reply')).toBe(true);
    expect(sessions()).toBeGreaterThan(3);
    expect(politeness.open).toBe(0);
  });

  it('asks an Exim about a few at a time, under the permit that it has', async () => {
    await start({ ...healthy, greeting: '220 mx.example.com ESMTP Exim 4.98', rcpt: '250 2.1.5 ok' });
    const politeness = new Watched(() => 'granted');
    const list = new FirstBatches();
    list.note({ answered: 1000, errors: 0 }, false);
    const facts = await bench.facts(EMAILS.slice(0, 20), { politeness, maxConnections: 1, list });
    expect(facts.every((fact) => fact.class === 'accepted')).toBe(true);
    expect(politeness.asked.map(({ recipients }) => recipients)).toEqual([20]);
    expect(sessions()).toBe(1);
  });

  it('reuses the permit for another host of the group if the first one refused us', async () => {
    await start({ greeting: { text: '554 5.7.1 blocked', after: 'close' } }, healthy);
    const politeness: Watched = new Watched((request) => {
      const refused = politeness.released.some(({ outcome }) => outcome.kind === 'session_refused');
      return refused && request.connected !== true ? 'backed_off' : 'granted';
    });
    const facts = await bench.facts(EMAILS, { politeness, maxConnections: 1 });
    expect(facts.every(({ ending, host }) => ending === 'reply' && host === 'mx2.example.test')).toBe(true);
    const reported = politeness.released.find(({ outcome }) => outcome.kind !== 'no_answer');
    expect(reported?.outcome.kind).toBe('served');
  });

  it('reports the recipients that it asks about at another host of the group under the same permit', async () => {
    const deferring: Behaviour = { ...healthy, rcpt: '450 4.7.1 Client host rejected: cannot find your hostname' };
    await start(deferring, deferring);
    const politeness = new Watched(() => 'granted');
    await bench.facts(EMAILS.slice(0, 3), { politeness, maxConnections: 1 });
    const requested = politeness.asked.reduce((sum, { recipients }) => sum + recipients, 0);
    const asked = [0, 1].flatMap((host) => bench.recipients(host).flat());
    expect([asked.length, requested + politeness.further]).toEqual([6, 6]);
  });

  it('probes every recipient if closed groups refuse us, before and among mailboxes', async () => {
    const closed = '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required';
    await start({ ehlo: EHLO_PIPELINING, rcpt: (path) => (path.startsWith('group') ? closed : knowsReal(path)) });
    const politeness = new LimitedPoliteness(new LocalThrottleStore(), {
      limits: { maxConnections: 1, recipientsPerMinute: 60_000 },
    });
    const groups = Array.from({ length: 5 }, (_, i) => `group${i}@example.com`);
    const people = Array.from({ length: 5 }, (_, i) => `real${i}@example.com`);
    for (const emails of [[...groups, ...people], [people[0]!, ...groups, ...people.slice(1)], groups, people]) {
      const facts = await bench.facts(emails, { politeness });
      const classes = facts.map((fact) => fact.class);
      expect(classes).toEqual(emails.map((email) => (email.startsWith('real') ? 'accepted' : 'recipient_restricted')));
    }
  });

  it('reports a domain that refused us for recipient after recipient', async () => {
    await start({ ...healthy, rcpt: '550 5.7.1 blocked by policy' });
    const politeness = new Watched(() => 'granted');
    await bench.facts(EMAILS, { politeness });
    expect(politeness.released).toEqual([
      { domain: 'example.com', outcome: { kind: 'session_refused', retryAfterSeconds: null } },
    ]);
  });

  it('asks about as many recipients as the pace allows, and reports when it allows more', async () => {
    await start(healthy);
    const politeness = new LimitedPoliteness(new LocalThrottleStore(), {
      limits: { maxConnections: 2, recipientsPerMinute: 60 },
    });
    const outcomes = [...(await bench.outcomes(EMAILS, { politeness, patienceMs: 100 })).values()];
    const left = outcomes.flatMap((outcome) => (outcome.kind === 'unavailable' ? [outcome] : []));
    expect(left).toHaveLength(EMAILS.length - 10);
    for (const { busy, freeInMs } of left) {
      expect(busy).toBe(true);
      expect(freeInMs).toBeGreaterThan(0);
      expect(freeInMs).toBeLessThanOrEqual(10_000);
    }
  });

  it('respects the real limits under any work', async () => {
    const limits = { maxConnections: 2, recipientsPerMinute: 60_000 };
    await start(healthy);
    const politeness = new LimitedPoliteness(new LocalThrottleStore(), { limits });
    const emails = emailsOf('example.com', 400, 1);
    const facts = await bench.facts(emails, { politeness });
    expect(facts.every((fact) => fact.class === 'accepted')).toBe(true);
    expect(politeness.state).toEqual({ held: 0, waiting: 0 });
    expect(sessions()).toBeLessThanOrEqual(10);
  });

  it('respects the rate limit, and returns the rest in time', async () => {
    await start(healthy);
    const politeness = new LimitedPoliteness(new LocalThrottleStore(), {
      limits: { maxConnections: 2, recipientsPerMinute: 60 },
    });
    const outcomes = [...(await bench.outcomes(EMAILS, { politeness, patienceMs: 300 })).values()];
    const asked = bench.recipients().flat().length;
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThanOrEqual(20);
    expect(outcomes.filter(({ kind }) => kind === 'facts')).toHaveLength(asked);
    expect(politeness.state).toEqual({ held: 0, waiting: 0 });
  });

  it('probes nobody on the do-not-probe list', async () => {
    await start(healthy);
    const doNotProbe = new StaticCuratedLists({ ...NOTHING_LISTED, noProbe: new Set(['example.org']) });
    const emails = ['example.com', 'example.org'].flatMap((domain) => emailsOf(domain, 4));
    const found = await bench.outcomes(emails, { doNotProbe });
    for (const [email, outcome] of found) {
      const rule = factsOf(outcome).rule;
      expect(rule === 'do-not-probe').toBe(email.endsWith('.org'));
    }
    expect(
      bench
        .recipients()
        .flat()
        .some((path) => path.endsWith('.org')),
    ).toBe(false);
  });
});
