import { seededRandom } from '../../src/platform/collections/seeded-random.js';
import { Deadline } from '../../src/engine/deadline.js';
import { LimitedPoliteness } from '../../src/platform/politeness/limited-politeness.js';
import { LocalThrottleStore } from '../../src/platform/politeness/local-throttle-store.js';
import { BulkBench, emailsOf, factsOf } from './support/bulk-bench.js';
import { EHLO_PIPELINING, EHLO_PLAIN, type Answer, type Behaviour, type Visit } from './support/scripted-host.js';

const ROUNDS = 30;
const DOMAINS = ['example.com', 'example.org', 'example.net'];
const EMAILS = DOMAINS.flatMap((domain) => emailsOf(domain, 40));

const MAIL_ACCEPTED = '250 2.1.0 ok';

const TROUBLE: readonly Answer[] = [
  { text: null, after: 'close' },
  { text: null, after: 'reset' },
  { text: '421 4.3.2 shutting down', after: 'close' },
  { text: '421 4.7.0 Error: too many errors', after: 'close' },
  '421 4.3.2 busy',
  '452 4.5.3 Too many recipients',
  '503 5.5.1 Error: send HELO/EHLO first',
  '503 5.5.1 Bad sequence of commands',
  '354 go ahead',
  '250-2.1.5 ok\r\n550 5.1.1 no',
  'what?',
  { text: null },
];

interface Asked {
  readonly path: string;
  readonly visit: Visit;
}

/** A reset may discard replies that were sent before it, so nobody knows about whom we heard there. */
const lost = new WeakSet<Visit>();

/** A host that mostly tells the truth, and sometimes does something else. */
function unreliable(random: () => number, asked: Asked[]): Behaviour {
  const severity = 0.02 + 0.15 * random();
  const pick = (): Answer => TROUBLE[Math.floor(random() * TROUBLE.length)] ?? '421 4.3.2 busy';
  const over = new WeakSet<Visit>();
  /** Their last MAIL was not accepted: recipients that were sent along are not asked about. */
  const withoutMail = new WeakSet<Visit>();
  const perhaps = (visit: Visit | null, truth: Answer, chance = severity): Answer => {
    // What was sent along is not heard any more once the host has hung up or fallen silent.
    if (visit !== null && over.has(visit)) return { text: null };
    if (random() >= chance) return truth;
    const answer = pick();
    const ends = typeof answer !== 'string' && (answer.after !== undefined || answer.text === null);
    if (ends && visit !== null) over.add(visit);
    return answer;
  };
  return {
    ehlo: () => perhaps(null, random() < 0.7 ? EHLO_PIPELINING : EHLO_PLAIN, severity / 4),
    mail: (_, visit) => {
      const answer = perhaps(visit, MAIL_ACCEPTED, severity / 4);
      if (answer === MAIL_ACCEPTED) withoutMail.delete(visit);
      else withoutMail.add(visit);
      return answer;
    },
    rcpt: (path, __, visit) => {
      if (!over.has(visit) && !withoutMail.has(visit)) asked.push({ path, visit });
      const answer = perhaps(visit, path.startsWith('real') ? '250 2.1.5 ok' : '550 5.1.1 no such user');
      if (typeof answer !== 'string' && answer.after === 'reset') lost.add(visit);
      return answer;
    },
  };
}

describe('hosts with random behaviour', () => {
  let told = 0;

  it.each(Array.from({ length: ROUNDS }, (_, seed) => seed))(
    'cause no invented and no lost result (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const asked: Asked[] = [];
      const bench = await BulkBench.start(unreliable(random, asked), unreliable(random, asked));
      const politeness = new LimitedPoliteness(new LocalThrottleStore({ providerStrikes: Infinity, firstPauseMs: 1 }), {
        limits: { maxConnections: 3, recipientsPerMinute: 600_000 },
      });
      const deadline = Deadline.after(100_000);
      try {
        const outcomes = await bench.outcomes(EMAILS, {
          deadline,
          politeness,
          randomRecipient: random() < 0.5,
          maxConnections: 1 + Math.floor(random() * 4),
          greetingTimeoutMs: 500,
          commandTimeoutMs: 500,
        });
        for (const [email, outcome] of outcomes) {
          const facts = factsOf(outcome);
          if (facts.class === 'accepted' || facts.class === 'mailbox_not_found') told += 1;
          if (facts.class === 'accepted') expect(email).toMatch(/^real/);
          if (facts.class === 'mailbox_not_found') expect(email).toMatch(/^ghost/);
        }
        // One session for each host, and one retry (decisions 6.10).
        const sessions = new Map<string, Set<Visit>>();
        for (const { path, visit } of asked) {
          if (!lost.has(visit)) sessions.set(path, (sessions.get(path) ?? new Set()).add(visit));
        }
        for (const email of EMAILS) expect(sessions.get(email)?.size ?? 0).toBeLessThanOrEqual(3);
        await bench.bench.allClosed();
        expect(politeness.state).toEqual({ held: 0, waiting: 0 });
      } finally {
        await bench.stop();
      }
    },
  );

  it('still allow most verdicts', () => {
    expect(told).toBeGreaterThan(0.7 * ROUNDS * EMAILS.length);
  });
});
