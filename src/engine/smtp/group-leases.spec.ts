import { Deadline } from '../deadline.js';
import { GroupLeases } from './group-leases.js';
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
const served: ProbeFacts = { ...refused, stage: 'rcpt', code: 250, subject: 'mailbox', retryAfterSeconds: null };

describe('GroupLeases', () => {
  const asked: PolitenessRequest[] = [];
  const released: SessionsOutcome[] = [];
  const politeness: Politeness = {
    acquire: (request) => {
      asked.push(request);
      return Promise.resolve({ kind: 'granted', release: (outcome) => released.push(outcome) });
    },
  };
  const deadline = Deadline.after(1_000);
  afterAll(() => deadline.release());
  beforeEach(() => {
    asked.length = 0;
    released.length = 0;
  });

  it('asks once for a group of mail hosts and gives it back once', async () => {
    const leases = new GroupLeases(politeness, 'direct', 2, deadline);
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

  it('reports a refusal of us with the delay that was asked for', async () => {
    const leases = new GroupLeases(politeness, 'direct', 1, deadline);
    await leases.acquire('mx1.example.com', null);
    leases.record('mx1.example.com', null, refused);
    leases.release();
    expect(released).toEqual([{ kind: 'refused_us', retryAfterSeconds: 300 }]);
  });

  it('counts a group as served when one of its hosts served', async () => {
    const leases = new GroupLeases(politeness, 'direct', 1, deadline);
    await leases.acquire('mx1.example.com', null);
    leases.record('mx1.example.com', null, refused);
    leases.record('mx2.example.com', null, served);
    leases.release();
    expect(released).toEqual([{ kind: 'served', retryAfterSeconds: null }]);
  });
});
