import type { Politeness } from '../../src/engine/smtp/politeness.js';
import { BulkBench, emailsOf, type BulkOptions } from './support/bulk-bench.js';
import { EHLO_PIPELINING, EHLO_PLAIN, type Behaviour, type Visit } from './support/scripted-host.js';

const knowsReal = (path: string): string => (path.startsWith('real') ? '250 2.1.5 ok' : '550 5.1.1 no such user');
const classOf = (email: string): string => (email.startsWith('real') ? 'accepted' : 'mailbox_not_found');
const EHLO_STARTTLS = '250-mx.example.test\r\n250-STARTTLS\r\n250 PIPELINING';
const TLS_DEMAND = '530 5.7.0 Must issue a STARTTLS command first';
const EMAILS = emailsOf('example.com', 24);

describe.each([
  ['pipelined', EHLO_PIPELINING],
  ['one by one', EHLO_PLAIN],
])('many recipients of a troublesome host, %s', (_, ehlo) => {
  let bench: BulkBench;
  const healthy: Behaviour = { ehlo, rcpt: knowsReal };
  const start = async (...behaviours: Behaviour[]): Promise<void> => {
    bench = await BulkBench.start(...behaviours);
  };
  const judgesAll = async (emails: readonly string[], options: BulkOptions = {}): Promise<void> => {
    const facts = await bench.facts(emails, options);
    expect(facts.map((fact) => fact.class)).toEqual(emails.map(classOf));
    await bench.bench.allClosed();
  };
  const visits = (index = 0): readonly Visit[] => bench.bench.hosts[index]?.visits ?? [];
  const askedOf = (path: string): number =>
    bench
      .recipients()
      .flat()
      .filter((asked) => asked === path).length;
  /** Refusals that a visit has had so far. */
  const errors = new WeakMap<Visit, number>();
  const errorsOf = (visit: Visit): number => errors.get(visit) ?? 0;
  const counted = (path: string, visit: Visit): string => {
    if (path.startsWith('ghost')) errors.set(visit, errorsOf(visit) + 1);
    return knowsReal(path);
  };
  afterEach(() => bench.stop());

  describe('that ends sessions', () => {
    it('after a number of errors is still judged, and the limit is remembered', async () => {
      const visitsCut = new Set<Visit>();
      await start({
        ...healthy,
        rcpt: (path, __, visit) => {
          const tooMany = path.startsWith('ghost') && errorsOf(visit) >= 6;
          if (tooMany) visitsCut.add(visit);
          return tooMany ? { text: '421 4.7.0 Error: too many errors', after: 'close' } : counted(path, visit);
        },
      });
      await judgesAll(emailsOf('example.com', 60, 3));
      expect(visits().length).toBeLessThanOrEqual(12);
      // One or two sessions ran into it.
      expect(visitsCut.size).toBeLessThanOrEqual(2);
    });

    it.each(['close', 'reset'] as const)('right after a refusal (%s), gets every recipient', async (after) => {
      await start({
        ...healthy,
        rcpt: (path) => (path.startsWith('real') ? '250 ok' : { text: '550 5.1.1 no such user', after }),
      });
      await judgesAll(EMAILS);
    });

    it.each([1, 2, 5, 9])('after %i recipients without a reply is still judged', async (limit) => {
      await start({
        ...healthy,
        rcpt: (path, nth) => (nth > limit ? { text: null, after: 'close' } : knowsReal(path)),
      });
      await judgesAll(EMAILS);
      expect(visits().length).toBeLessThanOrEqual(Math.ceil((1.3 * EMAILS.length) / limit) + 1);
    });

    it('with a 421 between recipients', async () => {
      await start({
        ...healthy,
        rcpt: (path, nth) => (nth > 4 ? { text: '421 4.3.2 shutting down', after: 'close' } : knowsReal(path)),
      });
      await judgesAll(EMAILS);
    });

    it('at MAIL of a further transaction', async () => {
      await start({
        ...healthy,
        mail: (__, { commands }) =>
          commands.filter((line) => line.startsWith('MAIL')).length > 1 ? '451 4.7.0 enough for today' : '250 ok',
      });
      await judgesAll(['example.com', 'example.org', 'example.net'].flatMap((domain) => emailsOf(domain, 4)));
      expect(visits()).toHaveLength(3);
    });

    it('only at one recipient affects no other recipient', async () => {
      await start({
        ...healthy,
        rcpt: (path) => (path.startsWith('ghost5@') ? { text: null, after: 'close' } : knowsReal(path)),
      });
      const facts = await bench.facts(EMAILS);
      for (const [index, email] of EMAILS.entries()) {
        if (email.startsWith('ghost5@')) expect(facts[index]).toMatchObject({ stage: 'rcpt', ending: 'closed' });
        else expect(facts[index]?.class).toBe(classOf(email));
      }
      expect(askedOf('ghost5@example.com')).toBe(2);
    });

    it('at every recipient is given up', async () => {
      await start({ ...healthy, rcpt: { text: null, after: 'close' } });
      const facts = await bench.facts(emailsOf('example.com', 100));
      expect(new Set(facts.map(({ stage, ending }) => `${stage} ${ending}`))).toEqual(new Set(['rcpt closed']));
      expect(visits().length).toBeLessThanOrEqual(6);
    });

    it('with a 421 at every first recipient is backed off', async () => {
      await start({ ...healthy, rcpt: { text: '421 4.7.0 slow down', after: 'close' } });
      const facts = await bench.facts(emailsOf('example.com', 100));
      expect(new Set(facts.map(({ code, subject }) => `${code} ${subject}`))).toEqual(new Set(['421 us']));
      expect(visits()).toHaveLength(1);
    });

    it('gets no recipient in more than two sessions', async () => {
      let answers = 0;
      const closed = new Set<Visit>();
      const asked: string[] = [];
      await start({
        ...healthy,
        rcpt: (path, __, visit) => {
          if (closed.has(visit)) return { text: null };
          asked.push(path);
          answers += 1;
          if (answers % 4 !== 0) return knowsReal(path);
          closed.add(visit);
          return { text: null, after: 'close' };
        },
      });
      await bench.facts(EMAILS);
      expect(asked.filter((path) => asked.indexOf(path) !== asked.lastIndexOf(path)).length).toBeGreaterThan(0);
      for (const path of EMAILS) expect(asked.filter((other) => other === path).length).toBeLessThanOrEqual(2);
    });
  });

  describe('that does not let us', () => {
    it('in at its greeting is tried once for all recipients', async () => {
      await start({ greeting: { text: '554 5.7.1 blocked', after: 'close' } });
      const facts = await bench.facts(emailsOf('example.com', 100));
      expect(new Set(facts.map(({ stage, code }) => `${stage} ${code}`))).toEqual(new Set(['greeting 554']));
      expect(visits()).toHaveLength(1);
    });

    it.each(['421 4.7.0 too many connections from your address', '554 5.7.1 blocked', '450 4.3.2 try again later'])(
      'in at its greeting after it has served us (%s) is left alone, so that the rest can be asked about later',
      async (text) => {
        const released: string[] = [];
        const politeness: Politeness = {
          acquire: ({ recipients }) =>
            Promise.resolve({ kind: 'granted', recipients, release: ({ kind }) => void released.push(kind) }),
        };
        await start({
          ...healthy,
          greeting: ({ index }) => (index < 2 ? '220 mx.example.test ESMTP' : { text, after: 'close' }),
          rcpt: (path, nth) => (nth > 10 ? { text: '421 4.7.0 closing', after: 'close' } : knowsReal(path)),
        });
        const emails = emailsOf('example.com', 50);
        const facts = await bench.facts(emails, { maxConnections: 1, politeness });
        expect(new Set(facts.map(({ class: name, ending }) => name ?? ending))).toEqual(
          new Set(['accepted', 'mailbox_not_found', 'backed_off']),
        );
        expect(facts.filter(({ ending }) => ending === 'reply').length).toBeGreaterThan(10);
        expect(visits()).toHaveLength(3);
        expect(released).toContain(text.startsWith('450') ? 'no_answer' : 'session_refused');
      },
    );

    it('continue at MAIL is tried once for all recipients', async () => {
      await start({ ...healthy, mail: '550 5.7.1 sender refused' });
      const facts = await bench.facts(['example.com', 'example.org'].flatMap((domain) => emailsOf(domain, 50)));
      expect(new Set(facts.map(({ stage, code }) => `${stage} ${code}`))).toEqual(new Set(['mail 550']));
      expect(visits()).toHaveLength(1);
    });

    it('in is skipped by every recipient for the next host', async () => {
      await start({ greeting: { text: '554 5.7.1 blocked', after: 'close' } }, healthy);
      await judgesAll(emailsOf('example.com', 100), { maxConnections: 1 });
      expect(visits()).toHaveLength(1);
      expect(visits(1).length).toBeLessThanOrEqual(10);
    });

    it('open more than one connection is used over that one', async () => {
      let open = 0;
      await start({
        ...healthy,
        ehlo: '250-mx.example.test\r\n250 PIPELINING',
        mail: () =>
          (bench.bench.hosts[0]?.openSockets ?? 0) > 1 && (open += 1) ? '421 4.7.0 too many connections' : '250 ok',
      });
      await judgesAll(emailsOf('example.com', 150, 1), { maxConnections: 4 });
      expect(visits().length).toBeLessThanOrEqual(12);
    });
  });

  it('gets no more recipients of a domain after refusals of us in a row', async () => {
    await start({
      ...healthy,
      rcpt: (path) => (path.endsWith('@example.com') ? '550 5.7.1 blocked by policy' : knowsReal(path)),
    });
    const refused = emailsOf('example.com', 50);
    const served = emailsOf('example.org', 10);
    const facts = await bench.facts([...refused, ...served]);
    expect(facts.slice(50).map((fact) => fact.class)).toEqual(served.map(classOf));
    const said = facts.slice(0, 50).map(({ ending, class: name }) => (ending === 'reply' ? name : ending));
    expect(new Set(said)).toEqual(new Set(['policy', 'backed_off']));
    expect(said.filter((word) => word === 'policy').length).toBeLessThanOrEqual(5);
  });

  it('passes recipients that it deferred because of us to the next host, before a thousand others', async () => {
    await start({ ...healthy, rcpt: '450 4.7.1 too fast for us' }, healthy);
    const emails = emailsOf('example.com', 100);
    await judgesAll(emails);
    expect(bench.recipients(0).flat().length).toBeLessThanOrEqual(5);
  });

  it('gets further recipients if refusals of us are rules of single mailboxes', async () => {
    await start({
      ...healthy,
      rcpt: (path) => (path.startsWith('ghost') ? '550 5.7.1 not from you' : '250 ok'),
    });
    const facts = await bench.facts(EMAILS);
    expect(facts.filter((fact) => fact.class === 'policy')).toHaveLength(12);
  });

  describe('that gets out of step', () => {
    it('with an extra reply is tried once more, without pipelining', async () => {
      let doubled = false;
      await start({
        ...healthy,
        coalesce: true,
        rcpt: (path) => {
          if (doubled || !path.startsWith('real2@')) return knowsReal(path);
          doubled = true;
          return { text: '250 ok\r\n250 ok\r\n', raw: true };
        },
      });
      await judgesAll(EMAILS);
    });

    it('with an extra reply each time gives no result for those recipients', async () => {
      await start({ ...healthy, coalesce: true, rcpt: { text: '250 ok\r\n550 5.1.1 no such user\r\n', raw: true } });
      const facts = await bench.facts(emailsOf('example.com', 12));
      expect(facts.filter((fact) => fact.ending === 'reply' && fact.class === 'mailbox_not_found')).toEqual([]);
    });

    it('with a reply with inconsistent codes gives no result for it, and all others', async () => {
      await start({
        ...healthy,
        rcpt: (path) => (path.startsWith('real4@') ? '250-2.1.5 ok\r\n550 5.1.1 no' : knowsReal(path)),
      });
      const facts = await bench.facts(EMAILS);
      for (const [index, email] of EMAILS.entries()) {
        if (email.startsWith('real4@')) expect(facts[index]).toMatchObject({ stage: 'rcpt', ending: 'garbage' });
        else expect(facts[index]?.class).toBe(classOf(email));
      }
    });

    it('and forgets our EHLO is tried again', async () => {
      let left = 1;
      await start({
        ...healthy,
        rcpt: (path) =>
          path.startsWith('real6@') && left-- > 0 ? '503 5.5.1 Error: send HELO/EHLO first' : knowsReal(path),
      });
      await judgesAll(EMAILS);
      expect(visits()).toHaveLength(2);
    });

    it('and forgets it every time is given up', async () => {
      await start({ ...healthy, mail: '503 5.5.1 Error: send HELO/EHLO first' });
      const facts = await bench.facts(emailsOf('example.com', 100));
      expect(new Set(facts.map(({ stage, code }) => `${stage} ${code}`))).toEqual(new Set(['mail 503']));
      expect(visits().length).toBeLessThanOrEqual(3);
    });
  });

  describe('that is slow', () => {
    it('at one recipient times out for it, and answers the others in another session', async () => {
      const silent = new Set<Visit>();
      await start({
        ...healthy,
        rcpt: (path, __, visit) => {
          if (path.startsWith('real8@')) silent.add(visit);
          return silent.has(visit) ? { text: null } : knowsReal(path);
        },
      });
      const facts = await bench.facts(EMAILS, { commandTimeoutMs: 1_000 });
      for (const [index, email] of EMAILS.entries()) {
        if (email.startsWith('real8@')) expect(facts[index]).toMatchObject({ stage: 'rcpt', ending: 'timeout' });
        else expect(facts[index]?.class).toBe(classOf(email));
      }
    });

    it('at all of them is given up', async () => {
      await start({ ...healthy, rcpt: { text: null } });
      const facts = await bench.facts(emailsOf('example.com', 200), { commandTimeoutMs: 200 });
      expect(new Set(facts.map(({ ending }) => ending))).toEqual(new Set(['timeout']));
      expect(visits().length).toBeLessThanOrEqual(5);
    });

    it('after errors is used in further sessions', async () => {
      let slowAnswers = 0;
      await start({
        ...healthy,
        rcpt: (path, __, visit) => {
          const answer = counted(path, visit);
          if (errorsOf(visit) <= 5) return answer;
          slowAnswers += 1;
          return { text: answer, delayMs: 900 };
        },
      });
      await judgesAll(emailsOf('example.com', 60, 2), { maxConnections: 1 });
      expect(visits().length).toBeGreaterThanOrEqual(4);
      // In one session it would be most of them.
      expect(slowAnswers).toBeLessThanOrEqual(8);
    });
  });

  describe('that needs other session options', () => {
    it('gets HELO from then on if it hangs up on EHLO', async () => {
      await start({ rcpt: knowsReal, ehlo: { text: null, after: 'close' } });
      await judgesAll(emailsOf('example.com', 60, 2), { maxConnections: 1 });
      expect(visits().filter(({ commands }) => commands[0]?.startsWith('EHLO'))).toHaveLength(1);
    });

    it.each(['mail', 'rcpt'] as const)(
      'gets TLS when it demands it at %s, and from the start next time',
      async (stage) => {
        await start({
          ehlo: EHLO_STARTTLS,
          mail: (__, visit) => (stage === 'mail' && !visit.tls ? TLS_DEMAND : '250 ok'),
          rcpt: (path, __, visit) => (stage === 'rcpt' && !visit.tls ? TLS_DEMAND : knowsReal(path)),
        });
        await judgesAll(emailsOf('example.com', 60, 2), { maxConnections: 1 });
        expect(visits().map(({ commands }) => commands.filter((line) => line.startsWith('EHLO')).length)).toContain(2);
        const demanded = visits().filter(({ commands }) => commands.indexOf('STARTTLS') > 1);
        expect(demanded).toHaveLength(1);
      },
    );

    it('for one domain gets TLS only for that one', async () => {
      await start({
        ehlo: EHLO_STARTTLS,
        rcpt: (path, __, visit) => (path.endsWith('@example.org') && !visit.tls ? TLS_DEMAND : knowsReal(path)),
      });
      await judgesAll(['example.com', 'example.org'].flatMap((domain) => emailsOf(domain, 6)));
    });

    it('gets SMTPUTF8 only if a recipient needs it', async () => {
      await start({
        ehlo: '250-mx.example.test\r\n250-SMTPUTF8\r\n250 PIPELINING',
        mail: (line) => (line.endsWith(' SMTPUTF8') ? '250 ok' : '250 ok'),
        rcpt: (path) => (path.startsWith('réal') ? '250 ok' : knowsReal(path)),
      });
      const facts = await bench.facts([
        'real@example.com',
        'réal@example.com',
        'ghost@example.com',
        'réal2@example.com',
      ]);
      expect(facts.map((fact) => fact.class)).toEqual(['accepted', 'accepted', 'mailbox_not_found', 'accepted']);
      expect(visits()).toHaveLength(1);
      expect(
        visits()[0]
          ?.commands.filter((line) => line.startsWith('MAIL'))
          .map((line) => line.endsWith('SMTPUTF8')),
      ).toEqual([false, true]);
    });

    it('without SMTPUTF8 cannot have such a mailbox, while another host may', async () => {
      await start(healthy, {
        ehlo: '250-mx.example.test\r\n250 SMTPUTF8',
        rcpt: (path) => (path.startsWith('réal') ? '250 ok' : knowsReal(path)),
      });
      const emails = ['réal@example.com', 'real@example.com', 'räl@example.com'];
      const facts = await bench.facts(emails);
      expect(facts.map(({ class: name, host }) => `${name} ${host}`)).toEqual([
        'accepted mx2.example.test',
        'accepted mx1.example.test',
        'mailbox_not_found mx2.example.test',
      ]);
    });

    it('hangs up on EHLO: its extensions are unknown', async () => {
      await start({ ehlo: { text: null, after: 'close' }, rcpt: knowsReal });
      const facts = await bench.facts(['réal@example.com', 'real@example.com', 'ghost@example.com', 'räl@example.com']);
      expect(facts.map(({ class: name, ending }) => name ?? ending)).toEqual([
        'closed',
        'accepted',
        'mailbox_not_found',
        'closed',
      ]);
    });

    it('refuses the sender only with SMTPUTF8, and still accepts other recipients', async () => {
      await start({
        ehlo: '250-mx.example.test\r\n250-SMTPUTF8\r\n250 PIPELINING',
        mail: (line) => (line.endsWith(' SMTPUTF8') ? '550 5.6.7 not in our house' : '250 ok'),
        rcpt: knowsReal,
      });
      const emails = ['réal@example.com', ...EMAILS, 'räl@example.com', 'réal@example.org'];
      const facts = await bench.facts(emails);
      for (const [index, email] of emails.entries()) {
        if (/^r[éä]/.test(email)) expect(facts[index]).toMatchObject({ stage: 'mail', code: 550 });
        else expect(facts[index]?.class).toBe(classOf(email));
      }
    });

    it('demands TLS and has no SMTPUTF8', async () => {
      await start({
        ehlo: EHLO_STARTTLS,
        mail: (__, visit) => (visit.tls ? '250 ok' : TLS_DEMAND),
        rcpt: knowsReal,
      });
      const facts = await bench.facts(['réal@example.com', 'real@example.com', 'ghost@example.com']);
      expect(facts.map(({ rule, class: name }) => (rule === 'smtputf8-not-offered' ? rule : name))).toEqual([
        'smtputf8-not-offered',
        'accepted',
        'mailbox_not_found',
      ]);
    });

    it('accepts quoted local parts unchanged', async () => {
      await start({ ...healthy, rcpt: (path) => (path === '"two words"@example.com' ? '250 ok' : knowsReal(path)) });
      const [facts] = await bench.facts(['"two words"@example.com', 'ghost@example.com']);
      expect(facts).toMatchObject({ class: 'accepted' });
    });
  });
});

it('pipelining is dropped for a host that offers it and fails with it', async () => {
  const bench = await BulkBench.start({
    ehlo: EHLO_PIPELINING,
    rcpt: (path, _, visit) =>
      visit.commands.findLast((line) => line.startsWith('RCPT')) === `RCPT TO:<${path}>`
        ? knowsReal(path)
        : { text: null, after: 'close' },
  });
  const emails = emailsOf('example.com', 30);
  const facts = await bench.facts(emails);
  expect(facts.map((fact) => fact.class)).toEqual(emails.map(classOf));
  await bench.stop();
});
