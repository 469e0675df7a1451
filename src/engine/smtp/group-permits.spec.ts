import { Deadline } from '../deadline.js';
import { GroupPermits } from './group-permits.js';
import { silent } from './judge-recipient.js';
import type { Politeness, PolitenessRequest, SessionsOutcome } from './politeness.js';
import type { ProbeFacts } from './prober.js';

const refused: ProbeFacts = {
  ...silent('greeting', 'closed'),
  ending: 'reply',
  code: 421,
  class: 'policy',
  subject: 'us',
  retryAfterSeconds: 300,
  random: 'not_asked',
  host: null,
  egress: null,
};
const served: ProbeFacts = {
  ...refused,
  stage: 'rcpt',
  code: 250,
  class: 'accepted',
  subject: 'mailbox',
  retryAfterSeconds: null,
};

describe('GroupPermits', () => {
  const asked: PolitenessRequest[] = [];
  const released: SessionsOutcome[] = [];
  const counts: (number | undefined)[] = [];
  const politeness: Politeness = {
    acquire: (request) => {
      asked.push(request);
      const release = (outcome: SessionsOutcome, count?: number): void => {
        released.push(outcome);
        counts.push(count);
      };
      return Promise.resolve({ kind: 'granted', recipients: request.recipients, release });
    },
  };
  const deadline = Deadline.after(1_000);
  const leasesOf = (recipients: number) =>
    new GroupPermits(politeness, { domain: 'example.com', egressId: 'direct', recipients, deadline });
  afterAll(() => deadline.release());
  beforeEach(() => {
    asked.length = 0;
    released.length = 0;
    counts.length = 0;
  });

  it('acquires and releases one permit per group of mail hosts', async () => {
    const leases = leasesOf(2);
    await leases.acquire('mx1.example.com', null);
    await leases.acquire('mx2.example.com', null);
    await leases.acquire('mx.example.org', null);
    leases.release();
    leases.release();
    expect(asked.map(({ group, recipients }) => [group, recipients])).toEqual([
      ['domain:example.com', 2],
      ['domain:example.org', 2],
    ]);
    expect(released).toHaveLength(2);
  });

  it('reports the recipients asked about, by group', async () => {
    const leases = leasesOf(2);
    for (const host of ['mx1.example.com', 'mx2.example.com', 'mx.example.org']) await leases.acquire(host, null);
    for (const host of ['mx1.example.com', 'mx1.example.com', 'mx2.example.com']) leases.countAsked(host, null, 2);
    leases.countAsked('mx.example.org', null, 1);
    leases.release();
    expect(counts).toEqual([6, 1]);
  });

  it('shares one patience among all groups', async () => {
    jest.useFakeTimers();
    try {
      const patience: (number | undefined)[] = [];
      const slow: Politeness = {
        acquire: async ({ patienceMs }) => {
          patience.push(patienceMs);
          jest.advanceTimersByTime(300);
          return { kind: 'full' };
        },
      };
      const check = { domain: 'example.com', egressId: 'direct', recipients: 1, deadline, patienceMs: 500 };
      const leases = new GroupPermits(slow, check);
      for (const host of ['mx.example.com', 'mx.example.org', 'mx.example.net']) await leases.acquire(host, null);
      expect(patience).toEqual([500, 200, 0]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('reports a refusal of us with the requested delay', async () => {
    const leases = leasesOf(1);
    await leases.acquire('mx1.example.com', null);
    leases.record('mx1.example.com', null, refused);
    leases.release();
    expect(released).toEqual([{ kind: 'session_refused', retryAfterSeconds: 300 }]);
  });

  it('counts a group as served if one of its hosts served', async () => {
    const leases = leasesOf(1);
    await leases.acquire('mx1.example.com', null);
    leases.record('mx1.example.com', null, refused);
    leases.record('mx2.example.com', null, served);
    leases.release();
    expect(released).toEqual([{ kind: 'served', retryAfterSeconds: null }]);
  });

  it.each<[string, Partial<ProbeFacts>, SessionsOutcome['kind']]>([
    ['a policy refusal of the sender', { stage: 'mail', code: 550 }, 'session_refused'],
    ['a policy refusal at RCPT', { stage: 'rcpt', code: 550 }, 'recipient_refused'],
    ['a 421 at RCPT', { stage: 'rcpt', code: 421 }, 'session_refused'],
    ['a 421 that speaks of its own health', { code: 421, class: 'server_fault', subject: 'server' }, 'session_refused'],
    ['a 421 that greylists', { stage: 'rcpt', code: 421, class: 'greylisted', subject: 'server' }, 'served'],
    ['a missing mailbox', { stage: 'rcpt', code: 550, class: 'mailbox_not_found', subject: 'mailbox' }, 'served'],
    ['a relay denied', { stage: 'rcpt', code: 554, class: 'relay_denied', subject: 'us' }, 'no_answer'],
    ['a demand for TLS', { stage: 'mail', code: 530, class: 'tls_required', subject: 'us' }, 'no_answer'],
    ['trouble before a recipient was named', { code: 451, class: 'server_fault', subject: 'server' }, 'no_answer'],
    ['silence', { ending: 'timeout', code: null, class: null, subject: null }, 'no_answer'],
  ])('reads %s', async (_, over, kind) => {
    const leases = leasesOf(1);
    await leases.acquire('mx1.example.com', null);
    leases.record('mx1.example.com', null, { ...refused, ...over });
    leases.release();
    expect(released.map((outcome) => outcome.kind)).toEqual([kind]);
  });
});
