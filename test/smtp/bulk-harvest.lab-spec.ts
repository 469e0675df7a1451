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
});
