import type { Address } from '../../address/address.js';
import { Candidate } from './candidate.js';
import { HostQueue, type BatchRecipient, type Envelope } from './host-queue.js';
import { RandomProbe } from './random-probe.js';

const candidate = (email: string): Candidate => {
  const [localPart = '', domain = ''] = email.split('@');
  return new Candidate(0, { localPart, domain, internationalized: localPart.startsWith('é') } as Address, []);
};
const paths = (recipients: readonly BatchRecipient[]): string[] => recipients.map(({ path }) => path);
const ANY = { fresh: false, open: null, domain: null };
const COM: Envelope = { domain: 'a.com', utf8: false };
const ORG: Envelope = { domain: 'a.org', utf8: false };

describe('HostQueue', () => {
  let queue: HostQueue;
  const waits = (...emails: string[]): void => {
    for (const email of emails) queue.add(candidate(email));
  };
  const taken = (envelope: Envelope, size: number, fresh = false, random: RandomProbe | null = null): string[] =>
    paths(queue.take(envelope, { fresh, size, random }).recipients);
  beforeEach(() => {
    queue = new HostQueue({ name: 'mx.example.com', preference: 10, addresses: ['192.0.2.1', '192.0.2.2'] }, null);
  });

  it('gives out recipients of one envelope, in the order they came', () => {
    waits('1@a.com', '2@a.org', '3@a.com', 'é@a.com', '4@a.com');
    expect(queue.next(ANY)).toEqual(COM);
    expect(taken(COM, 2)).toEqual(['1@a.com', '3@a.com']);
    expect(taken(COM, 9)).toEqual(['4@a.com']);
    expect(queue.waiting).toBe(2);
    expect(taken({ ...COM, utf8: true }, 9)).toEqual(['é@a.com']);
    expect(queue.next(ANY)).toEqual(ORG);
  });

  it('stays with the envelope that is open while somebody waits for it', () => {
    waits('1@a.com', '2@a.org');
    expect(queue.next({ ...ANY, open: ORG })).toEqual(ORG);
    taken(ORG, 1);
    expect(queue.next({ ...ANY, open: ORG })).toEqual(COM);
    expect(queue.next({ ...ANY, domain: 'a.org' })).toBeNull();
  });

  it('puts those back that were not asked about before all others, in their order', () => {
    waits('1@a.com', '2@a.com', '3@a.com');
    const { recipients } = queue.take(COM, { fresh: false, size: 2, random: null });
    queue.requeue(recipients);
    expect(queue.waiting).toBe(3);
    expect(taken(COM, 3)).toEqual(['1@a.com', '2@a.com', '3@a.com']);
  });

  it('begins a session with one that ended another, one a session', () => {
    waits('1@a.com', '2@a.com');
    queue.suspect(candidate('x@a.org'));
    queue.suspect(candidate('y@a.com'));
    expect(queue.next(ANY)).toEqual(COM);
    expect(queue.next({ ...ANY, fresh: true })).toEqual(ORG);
    expect(taken(ORG, 5, true)).toEqual(['x@a.org']);
    expect(taken(COM, 2, true)).toEqual(['y@a.com', '1@a.com']);
    expect(queue.waiting).toBe(1);
  });

  it('sends the random recipient along behind others, once, where there is room', () => {
    const random = new RandomProbe('a.com', 'random@a.com');
    waits('1@a.com', '2@a.com', '3@a.com');
    expect(taken(COM, 1, false, random)).toEqual(['1@a.com']);
    expect(taken(COM, 2, false, random)).toEqual(['2@a.com', 'random@a.com']);
    expect(taken(COM, 2, false, random)).toEqual(['3@a.com']);
    expect(taken(COM, 2, false, new RandomProbe('a.com', 'random@a.com'))).toEqual([]);
  });

  it('lets go whom it is told to', () => {
    waits('1@a.com', '2@a.org', '3@a.com');
    queue.suspect(candidate('x@a.com'));
    expect(paths(queue.removeMatching(({ domain }) => domain === 'a.com'))).toEqual(['1@a.com', '3@a.com', 'x@a.com']);
    expect(queue.waiting).toBe(1);
  });

  it('is worth one lane until it has served, then one for each two dozen that wait, as far as it bears them', () => {
    waits(...Array.from({ length: 60 }, (_, index) => `${index}@a.com`));
    expect(queue.wantedConnections).toBe(1);
    queue.served = true;
    expect(queue.wantedConnections).toBe(2);
    queue.maxConnections = 1;
    expect(queue.wantedConnections).toBe(1);
  });

  it('goes to the address that let us in first', () => {
    queue.connectedAt('192.0.2.2');
    expect(queue.host.addresses).toEqual(['192.0.2.2', '192.0.2.1']);
  });
});
