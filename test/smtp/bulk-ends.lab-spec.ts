import { getEventListeners } from 'node:events';
import { Deadline } from '../../src/engine/deadline.js';
import { ConnectionFault, type Egress, type EgressPool } from '../../src/engine/smtp/egress.js';
import { socksEgress } from '../../src/platform/egress/socks-egress.js';
import { LimitedPoliteness } from '../../src/platform/politeness/limited-politeness.js';
import { LocalThrottleStore } from '../../src/platform/politeness/local-throttle-store.js';
import { waitUntil } from '../support/wait-until.js';
import { BulkBench, emailsOf } from './support/bulk-bench.js';
import { living, mailHost } from './support/probe-bench.js';
import { EHLO_PIPELINING, type Answer, type Behaviour } from './support/scripted-host.js';
import { SocksProxy } from './support/socks-proxy.js';

const knowsReal = (path: string): Answer => (path.startsWith('real') ? '250 2.1.5 ok' : '550 5.1.1 no such user');
const healthy: Behaviour = { ehlo: EHLO_PIPELINING, rcpt: knowsReal };
const EHLO_STARTTLS = '250-mx.example.test\r\n250 STARTTLS';
const DEMAND = '530 5.7.0 Must issue a STARTTLS command first';

describe('a bulk probe ends', () => {
  let bench: BulkBench;
  const start = async (...behaviours: Behaviour[]): Promise<void> => {
    bench = await BulkBench.start(...behaviours);
  };
  afterEach(() => bench.stop());

  it('at once without recipients', async () => {
    await start(healthy);
    expect(await bench.outcomes([])).toEqual(new Map());
  });

  it('at its deadline, with an outcome for every recipient', async () => {
    await start({ ...healthy, rcpt: (path, nth) => (nth <= 5 ? knowsReal(path) : { text: null }) });
    const emails = emailsOf('example.com', 50);
    const began = performance.now();
    const outcomes = [...(await bench.outcomes(emails, { deadlineMs: 2_000 })).values()];
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(outcomes.filter(({ kind }) => kind === 'facts').length).toBeGreaterThanOrEqual(5);
    expect(outcomes.filter(({ kind }) => kind === 'unavailable').length).toBeGreaterThan(20);
    await bench.bench.allClosed();
  });

  it('when it is cancelled, and keeps its findings', async () => {
    const deadline = Deadline.after(60_000);
    await start({
      ...healthy,
      rcpt: (path, nth) => {
        if (nth <= 5) return knowsReal(path);
        deadline.cancel();
        return { text: null };
      },
    });
    const outcomes = [...(await bench.outcomes(emailsOf('example.com', 50), { deadline })).values()];
    expect(outcomes.slice(0, 5).map(({ kind }) => kind)).toEqual(Array(5).fill('facts'));
    for (const outcome of outcomes.slice(5)) {
      expect(outcome).toEqual({ kind: 'unavailable', why: 'the check was cancelled' });
    }
    await bench.bench.allClosed();
    expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
  });

  it('before it starts if its deadline has passed', async () => {
    await start(healthy);
    const deadline = Deadline.after(0);
    deadline.cancel();
    const outcomes = [...(await bench.outcomes(emailsOf('example.com', 5), { deadline })).values()];
    expect(outcomes.every(({ kind }) => kind === 'unavailable')).toBe(true);
    expect(bench.bench.hosts[0]?.visits).toEqual([]);
  });

  it('while it waits for a permit that is no longer needed', async () => {
    await start(healthy);
    const politeness = new LimitedPoliteness(new LocalThrottleStore(), {
      limits: { maxConnections: 2, recipientsPerMinute: 60_000 },
    });
    const deadline = Deadline.after(60_000);
    // Another check holds one of two connections, and keeps it.
    const other = await politeness.acquire({
      group: 'domain:example.test',
      provider: null,
      domain: 'example.org',
      egressId: bench.bench.egressPool().choose(null).id,
      recipients: 1,
      deadline,
    });
    const began = performance.now();
    const facts = await bench.facts(emailsOf('example.com', 200, 1), { politeness, deadline });
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(facts.every((fact) => fact.class === 'accepted')).toBe(true);
    expect(politeness.state).toEqual({ held: 1, waiting: 0 });
    if (other.kind === 'granted') other.release({ kind: 'no_answer', retryAfterSeconds: null });
  });

  describe('if our own side fails', () => {
    const failing = (fault: ConnectionFault, fromNth = 1): EgressPool => {
      const working = bench.bench.egressPool().choose(null);
      let nth = 0;
      const egress: Egress = {
        id: 'test',
        heloName: working.heloName,
        mailFrom: working.mailFrom,
        ipv6: false,
        connect: (...args) => ((nth += 1) >= fromNth ? Promise.reject(fault) : working.connect(...args)),
      };
      return { choose: () => egress };
    };

    it('without verdicts, after one try through a broken proxy', async () => {
      await start(healthy, healthy);
      const egress = failing(new ConnectionFault('ours', 'proxy'));
      const outcomes = [...(await bench.outcomes(emailsOf('example.com', 50), { egress })).values()];
      expect(new Set(outcomes.map((outcome) => (outcome.kind === 'unavailable' ? outcome.why : '')))).toEqual(
        new Set(['our egress test failed: proxy']),
      );
      expect(bench.bench.hosts.flatMap((host) => host.visits)).toEqual([]);
    });

    it("without revoking a host's answer", async () => {
      await start(healthy);
      const egress = failing(new ConnectionFault('ours', 'proxy'), 2);
      const emails = emailsOf('example.com', 120, 1);
      const outcomes = [...(await bench.outcomes(emails, { egress, maxConnections: 1 })).values()];
      expect(outcomes.slice(0, 50).every(({ kind }) => kind === 'facts')).toBe(true);
      expect(outcomes.slice(50).every(({ kind }) => kind === 'unavailable')).toBe(true);
    });

    it('for one host alone where a proxy does not reach it', async () => {
      await start(healthy, healthy);
      const [lost, found] = bench.bench.mailHosts;
      const proxy = await SocksProxy.start({ refuseWith: { [lost!.addresses[0]!]: 1 } });
      const egress = socksEgress({
        id: 'test',
        heloName: 'probe.example.net',
        mailFrom: 'verify@probe.example.net',
        proxy: { host: '127.0.0.1', port: proxy.port, login: null },
        clearance: () => true,
      });
      const emails = [...emailsOf('lost.example', 3, 1), ...emailsOf('found.example', 3, 1)];
      const hostsOf = (domain: string) => (domain === 'lost.example' ? [lost!] : [found!]);
      const outcomes = await bench.outcomes(emails, { egress: { choose: () => egress }, hostsOf, maxConnections: 1 });
      await proxy.stop();
      expect(emails.map((email) => outcomes.get(email)!.kind)).toEqual([
        ...Array<string>(3).fill('unavailable'),
        ...Array<string>(3).fill('facts'),
      ]);
    });

    it('at the next host if only a route is missing', async () => {
      await start(healthy);
      const egress = failing(new ConnectionFault('ours', 'unreachable'));
      const outcomes = [...(await bench.outcomes(emailsOf('example.com', 50), { egress })).values()];
      expect(outcomes.every(({ kind }) => kind === 'unavailable')).toBe(true);
    });
  });

  it('at the next host if no connection succeeds, with one try for all', async () => {
    await start(healthy);
    const hosts = [mailHost(8, '127.0.0.9'), ...bench.bench.mailHosts];
    const facts = await bench.facts(emailsOf('example.com', 30, 1), { hosts });
    expect(facts.every(({ class: name, host }) => name === 'accepted' && host === 'mx1.example.test')).toBe(true);
  });

  it('with recipients of two egresses over connections of each', async () => {
    await start(healthy);
    const pool = bench.bench.egressPool();
    const working = pool.choose(null);
    const named = (id: string): Egress => ({
      id,
      heloName: working.heloName,
      mailFrom: working.mailFrom,
      ipv6: false,
      connect: (...args) => working.connect(...args),
    });
    const egresses = new Map(['one', 'other'].map((id) => [id, named(id)]));
    const egress: EgressPool = { choose: (id) => egresses.get(id ?? 'one') ?? working };
    const emails = emailsOf('example.com', 12);
    const facts = await bench.facts(emails, {
      egress,
      egressOf: (email) => (email.startsWith('ghost') ? 'other' : null),
    });
    expect(facts.map((fact) => fact.egress)).toEqual(
      emails.map((email) => (email.startsWith('ghost') ? 'other' : 'one')),
    );
    expect(bench.bench.hosts[0]?.visits).toHaveLength(2);
  });
});

/** One of each way in which sessions end. */
const KINDS: readonly Behaviour[] = [
  healthy,
  { rcpt: knowsReal },
  { ...healthy, rcpt: (path) => (path.startsWith('real') ? '250 ok' : { text: '550 5.1.1 no', after: 'close' }) },
  { ...healthy, rcpt: (path, nth) => (nth > 3 ? { text: null, after: 'reset' } : knowsReal(path)) },
  { ...healthy, rcpt: { text: null } },
  { ...healthy, rcpt: { text: '250 ok\r\n250 ok\r\n', raw: true } },
  { ...healthy, rcpt: '452 4.5.3 too many recipients' },
  { greeting: { text: null } },
  { greeting: '554 5.7.1 blocked' },
  { ...healthy, mail: '503 send EHLO first' },
  { ehlo: EHLO_STARTTLS, mail: (_, visit) => (visit.tls ? '250 ok' : DEMAND), rcpt: knowsReal },
  { ehlo: EHLO_STARTTLS, mail: DEMAND, starttls: { text: '220 go', after: 'junk' } },
];
const ROUNDS = 10;

describe('after bulk probes', () => {
  it('no socket, timer, listener or permit is left, however their sessions ended', async () => {
    const bench = await BulkBench.start(...KINDS);
    const politeness = new LimitedPoliteness(new LocalThrottleStore({ providerStrikes: Infinity, firstPauseMs: 1 }), {
      limits: { maxConnections: 20, recipientsPerMinute: 600_000 },
    });
    const before = living();
    const deadline = Deadline.after(60_000);
    const round = (): Promise<unknown> =>
      Promise.all(
        bench.bench.mailHosts.map((host, index) =>
          bench.outcomes(emailsOf(`example${index}.com`, 30), {
            hosts: [host],
            randomRecipient: true,
            deadline,
            politeness,
            greetingTimeoutMs: 60,
            commandTimeoutMs: 60,
          }),
        ),
      );
    // The deadline is used again and again: it must not be released by a round.
    deadline.release = () => undefined;
    for (let count = 0; count < ROUNDS; count += 1) await round();
    await bench.bench.allClosed();
    const left = (): string[] =>
      Object.entries(living()).flatMap(([kind, count]) =>
        count > (before[kind] ?? 0) + (kind === 'Timeout' ? 1 : 0) ? [kind] : [],
      );
    await waitUntil(() => Promise.resolve(left().length === 0), { ms: 60_000 });
    expect(left()).toEqual([]);
    expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
    expect(politeness.state).toEqual({ held: 0, waiting: 0 });
    expect(bench.bench.hosts.map((host) => host.openSockets)).toEqual(KINDS.map(() => 0));
    deadline.cancel();
    await bench.stop();
  });
});
