import { classifyReply } from '../../src/engine/smtp/classify/classify-reply.js';
import type { Politeness } from '../../src/engine/smtp/politeness.js';
import { BulkBench, emailsOf } from './support/bulk-bench.js';
import { EHLO_PIPELINING, type Answer, type Behaviour, type Visit } from './support/scripted-host.js';

const knowsReal = (path: string): string =>
  path.startsWith('real') ? '250 2.1.5 ok' : '550 5.1.1 Recipient unknown <x@example.com>';

/** Unknown recipients by session, and of all sessions. */
class Unknown {
  inAll = 0;
  private readonly byVisit = new Map<Visit, number>();

  /** Counts one. @returns those of its session */
  add(visit: Visit): number {
    this.inAll += 1;
    const count = (this.byVisit.get(visit) ?? 0) + 1;
    this.byVisit.set(visit, count);
    return count;
  }
}

describe('a host that takes many unknown recipients for a harvest of its addresses', () => {
  let bench: BulkBench;
  const start = async (behaviour: Behaviour): Promise<void> => {
    bench = await BulkBench.start({ ehlo: EHLO_PIPELINING, coalesce: true, ...behaviour });
  };
  afterEach(() => bench.stop());

  it('is asked in the small sessions that an MDaemon bears before it blocks the client', async () => {
    const unknown = new Unknown();
    let isBlocked = false;
    await start({
      greeting: '220 mx.example.test ESMTP MDaemon 23.5.2; Mon, 30 Nov 2026 12:00:00 +0000',
      rcpt: (path, _, visit): Answer => {
        if (!path.startsWith('real')) isBlocked ||= unknown.add(visit) >= 3;
        return isBlocked ? { text: '552 Access denied', after: 'close' } : knowsReal(path);
      },
    });
    const emails = emailsOf('example.com', 20, 3);
    const facts = await bench.facts(emails);
    expect(facts.map((fact) => fact.class)).toEqual(
      emails.map((email) => (email.startsWith('real') ? 'accepted' : 'mailbox_not_found')),
    );
    expect(isBlocked).toBe(false);
  });

  it.each(['550 5.7.1 Rejected', '550 Requested action not taken', '550 5.1.0 Address rejected'])(
    'is not believed once it refuses everybody alike (%s)',
    async (refusal) => {
      const unknown = new Unknown();
      await start({
        rcpt: (path, _, visit): Answer => {
          if (unknown.inAll >= 3) return refusal;
          if (!path.startsWith('real')) unknown.add(visit);
          return path.startsWith('real') ? '250 2.1.5 ok' : refusal;
        },
      });
      const emails = emailsOf('example.com', 20);
      const facts = await bench.facts(emails, { classify: classifyReply });
      const judged = (begins: string): unknown[] => [
        ...new Set(emails.flatMap((email, index) => (email.startsWith(begins) ? [facts[index]?.class] : []))),
      ];
      expect(judged('real')).toEqual(['accepted', 'policy']);
      expect(judged('ghost')).toEqual(['mailbox_not_found', 'policy']);
    },
  );

  it('is believed if it accepts once more whom it accepted before', async () => {
    await start({ rcpt: (path) => (path.startsWith('real') ? '250 2.1.5 ok' : '550 5.7.1 Rejected') });
    const emails = [...emailsOf('example.com', 2, 1), ...emailsOf('example.com', 20, 100).slice(1)];
    const facts = await bench.facts(emails, { classify: classifyReply });
    expect(facts.map((fact) => fact.class)).toEqual(
      emails.map((email) => (email.startsWith('real') ? 'accepted' : 'mailbox_not_found')),
    );
    const asked = bench.recipients().flat();
    expect(asked.filter((path) => path.startsWith('real'))).toEqual([
      'real0@example.com',
      'real1@example.com',
      'real1@example.com',
    ]);
  });

  it.each([
    ['lately', 3],
    ['earlier', 1],
  ] as const)(
    'is not believed for a recipient accepted %s if it refuses %i today, and postmaster too',
    async (remembered, count) => {
      const acceptedRecipients = { recall: () => Promise.resolve(remembered), note: () => undefined };
      await start({ rcpt: '550 5.7.1 Rejected' });
      const facts = await bench.facts(emailsOf('example.com', count, 1), {
        classify: classifyReply,
        acceptedRecipients,
      });
      expect(facts.map((fact) => fact.class)).toEqual(Array.from({ length: count }, () => 'policy'));
      expect(bench.recipients().flat().at(-1)).toBe('postmaster@example.com');
    },
  );

  it('is left alone until it takes more, if it then refuses us for an hour by name of the errors', async () => {
    const unknown = new Unknown();
    const released: string[] = [];
    const politeness: Politeness = {
      acquire: ({ recipients }) =>
        Promise.resolve({ kind: 'granted', recipients, release: ({ kind }) => void released.push(kind) }),
    };
    await start({
      rcpt: (path, _, visit): Answer => {
        if (unknown.inAll >= 6) return { text: '550 Too many invalid recipients', after: 'close' };
        if (!path.startsWith('real')) unknown.add(visit);
        return knowsReal(path);
      },
    });
    const emails = emailsOf('example.com', 30);
    const facts = await bench.facts(emails, { classify: classifyReply, politeness });
    const judged = (begins: string): unknown[] => [
      ...new Set(
        emails.flatMap((email, index) => {
          const { class: name, ending } = facts[index]!;
          return email.startsWith(begins) ? [name ?? ending] : [];
        }),
      ),
    ];
    expect(judged('real')).toEqual(['accepted', 'backed_off']);
    expect(judged('ghost')).toEqual(['mailbox_not_found', 'backed_off']);
    expect(bench.recipients().filter((session) => session.length > 0)).toHaveLength(2);
    expect(released).toContain('session_refused');
  });
});
