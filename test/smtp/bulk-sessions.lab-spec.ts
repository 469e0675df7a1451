import type { MailProvider } from '../../src/engine/smtp/provider.js';
import { BulkBench, emailsOf, type BulkOptions } from './support/bulk-bench.js';
import { EHLO_PIPELINING, EHLO_PLAIN, type Answer, type Behaviour, type Visit } from './support/scripted-host.js';

const knowsReal = (path: string): Answer => (path.startsWith('real') ? '250 2.1.5 ok' : '550 5.1.1 no such user');
const healthy: Behaviour = { ehlo: EHLO_PIPELINING, coalesce: true, rcpt: knowsReal };
const classOf = (email: string): string => (email.startsWith('real') ? 'accepted' : 'mailbox_not_found');

describe('many recipients over few sessions', () => {
  let bench: BulkBench;
  const judgesAll = async (emails: readonly string[], options: BulkOptions = {}): Promise<void> => {
    const facts = await bench.facts(emails, options);
    expect(facts.map((fact) => fact.class)).toEqual(emails.map(classOf));
    await bench.bench.allClosed();
  };
  const visits = (index = 0): readonly Visit[] => bench.bench.hosts[index]?.visits ?? [];
  const start = async (...behaviours: Behaviour[]): Promise<void> => {
    bench = await BulkBench.start(...behaviours);
  };
  afterEach(() => bench.stop());

  it('probes all recipients of a domain in one session and one transaction', async () => {
    await start(healthy);
    await judgesAll(emailsOf('example.com', 20, 1));
    expect(visits()).toHaveLength(1);
    expect(visits()[0]?.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(1);
    expect(visits()[0]?.commands.at(-1)).toBe('QUIT');
    // EHLO, MAIL with the first five, then the rest.
    expect(visits()[0]?.flights).toBe(3);
  });

  it('sends one command at a time without PIPELINING', async () => {
    await start({ ...healthy, ehlo: EHLO_PLAIN });
    await judgesAll(emailsOf('example.com', 8));
    expect(visits()[0]?.flights).toBe(1 + 1 + 8);
  });

  it('starts a transaction for each domain of the mail host, in the same session', async () => {
    await start(healthy);
    const domains = ['example.com', 'example.org', 'example.net'];
    await judgesAll(domains.flatMap((domain) => emailsOf(domain, 3)));
    expect(visits()).toHaveLength(1);
    const verbs = (visits()[0]?.commands ?? [])
      .map((line) => line.split(/[ :]/, 1)[0])
      .filter((verb) => verb !== 'RCPT');
    expect(verbs).toEqual(['EHLO', 'MAIL', 'RSET', 'MAIL', 'RSET', 'MAIL', 'QUIT']);
  });

  it('never mixes domains in a transaction', async () => {
    await start(healthy);
    const emails = Array.from({ length: 40 }, (_, index) => `real${index}@example${index % 4}.com`);
    await judgesAll(emails);
    for (const { commands } of visits()) {
      let domain = '';
      for (const line of commands) {
        if (line.startsWith('MAIL')) domain = '';
        const asked = /@(.*)>/.exec(line.startsWith('RCPT') ? line : '')?.[1] ?? '';
        expect(domain === '' || asked === '' || asked === domain).toBe(true);
        domain ||= asked;
      }
    }
  });

  it('uses one order for hosts of equal preference', async () => {
    await start(healthy, healthy);
    const [one, other] = bench.bench.mailHosts.map((host) => ({ ...host, preference: 10 }));
    const dealt = (domain: string) => (domain === 'example.com' ? [one!, other!] : [other!, one!]);
    await judgesAll([...emailsOf('example.com', 4), ...emailsOf('example.org', 4)], { hostsOf: dealt });
    expect([visits(0).length, visits(1).length]).toEqual([1, 0]);
  });

  it('respects the session limit of the provider table', async () => {
    await start(healthy);
    const provider: MailProvider = {
      id: 'example',
      name: 'Example',
      kind: 'mailbox',
      acceptsAll: 'never',
      randomProbeMeaningful: true,
      recipientsPerSession: 3,
      maxConnections: 2,
      recipientsPerMinute: 60,
    };
    await judgesAll(emailsOf('example.com', 12), { findProvider: () => provider });
    expect(bench.recipients().map((session) => session.length)).toEqual([3, 3, 3, 3]);
  });

  it('opens further connections for much work once the host has answered, up to the requested number', async () => {
    let [most, alone] = [0, 0];
    await start({
      ...healthy,
      rcpt: (path) => {
        const open = visits().filter(({ commands }) => !commands.includes('QUIT')).length;
        if (open === 1 && most < 2) alone += 1;
        most = Math.max(most, open);
        return knowsReal(path);
      },
    });
    await judgesAll(emailsOf('example.com', 300, 1), { maxConnections: 3 });
    expect(most).toBe(3);
    expect(visits().length).toBeLessThanOrEqual(10);
    // The first one was alone until it had been served.
    expect(alone).toBeGreaterThanOrEqual(5);
  });

  it('reports each outcome as soon as it is known', async () => {
    await start({
      ...healthy,
      coalesce: false,
      rcpt: (path, nth) => (nth <= 5 ? knowsReal(path) : { text: null }),
    });
    const order: string[] = [];
    const emails = emailsOf('example.com', 8);
    const deadlineMs = 2_000;
    await bench.outcomes(emails, { deadlineMs, onOutcome: (email) => order.push(email) });
    expect(order.slice(0, 5)).toEqual(emails.slice(0, 5));
  });

  describe('a host that limits recipients', () => {
    const limited =
      (perTransaction: number, perSession: number, code = '452 4.5.3 Too many recipients'): Behaviour['rcpt'] =>
      (path, nth, { commands }) => {
        const transaction = commands.slice(
          commands.findLastIndex((line) => line.startsWith('MAIL')),
          commands.indexOf(`RCPT TO:<${path}>`),
        );
        return nth > perSession || transaction.length > perTransaction ? code : knowsReal(path);
      };

    it('per transaction gets the rest in further transactions of the session', async () => {
      await start({ ...healthy, ehlo: EHLO_PLAIN, rcpt: limited(4, 1000) });
      await judgesAll(emailsOf('example.com', 18));
      expect(visits()).toHaveLength(1);
      expect(visits()[0]?.commands.filter((line) => line.startsWith('MAIL')).length).toBeLessThanOrEqual(6);
    });

    it.each([1, 2, 3, 7])(
      'to %i per session gets the rest in further sessions, and the limit is remembered',
      async (limit) => {
        await start({ ...healthy, rcpt: limited(1000, limit) });
        await judgesAll(emailsOf('example.com', 22), { maxConnections: 1 });
        const sessions = bench.recipients().map((session) => session.length);
        expect(sessions.slice(2).every((length) => length <= limit)).toBe(true);
        expect(sessions.length).toBeLessThanOrEqual(Math.ceil(22 / limit) + 2);
      },
    );

    it('gets no recipient more than twice in two sessions', async () => {
      await start({ ...healthy, rcpt: limited(1000, 1) });
      await judgesAll(emailsOf('example.com', 12), { maxConnections: 1 });
      const sessionsOf = new Map<string, number>();
      for (const session of bench.recipients()) {
        for (const path of new Set(session)) sessionsOf.set(path, (sessionsOf.get(path) ?? 0) + 1);
      }
      expect(Math.max(...sessionsOf.values())).toBeLessThanOrEqual(2);
    });

    it('refuses every recipient that way, and is believed after one session', async () => {
      await start({ ...healthy, rcpt: '452 4.5.3 Too many recipients' });
      const facts = await bench.facts(emailsOf('example.com', 10));
      expect(new Set(facts.map((fact) => fact.class))).toEqual(new Set(['too_many_recipients']));
      expect(visits().length).toBeLessThanOrEqual(2);
    });
  });

  it('starts a session for each domain if RSET is unknown', async () => {
    await start({ ...healthy, rset: '502 5.5.1 what?' });
    await judgesAll(['example.com', 'example.org', 'example.net'].flatMap((domain) => emailsOf(domain, 3)));
    expect(visits()).toHaveLength(3);
  });
});
