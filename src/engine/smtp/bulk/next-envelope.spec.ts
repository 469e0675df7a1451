import type { Envelope } from './host-queue.js';
import { nextEnvelope, takenIn } from './next-envelope.js';

const COM: Envelope = { domain: 'a.com', utf8: false };
const ORG: Envelope = { domain: 'a.org', utf8: false };

/**
 * A session in its second transaction, and a host with `waiting` in its queue that takes ten recipients per
 * transaction.
 */
function meeting(open: Envelope | null, taken: number, waiting: Envelope | null, mayBegin = true) {
  const session = {
    open,
    taken,
    count: { answered: taken, errors: 0, transactions: 2 },
    endTransaction: (): void => void (session.open = null),
  };
  const queue = {
    next: () => waiting,
    traits: { transactionRoom: (of: number) => 10 - of, mayBegin: () => mayBegin },
  };
  return { session, queue };
}

describe('the next envelope of a session', () => {
  it('is the one that is open, also where no new transaction may begin', () => {
    const { session, queue } = meeting(COM, 9, COM, false);
    expect(nextEnvelope(session, queue)).toEqual(COM);
    expect(takenIn(session, COM)).toBe(9);
  });

  it('is another one where a transaction may begin', () => {
    const { session, queue } = meeting(COM, 9, ORG);
    expect(nextEnvelope(session, queue)).toEqual(ORG);
    expect(takenIn(session, ORG)).toBe(0);
  });

  it('tells addresses that need SMTPUTF8 from the others of their domain', () => {
    const { session, queue } = meeting(COM, 9, { ...COM, utf8: true }, false);
    expect(nextEnvelope(session, queue)).toBeNull();
  });

  it('begins a new transaction where the open one is full', () => {
    const { session, queue } = meeting(COM, 10, COM);
    expect(nextEnvelope(session, queue)).toEqual(COM);
    expect(takenIn(session, COM)).toBe(0);
  });

  it('is none where the open transaction is full and no new one may begin', () => {
    const { session, queue } = meeting(COM, 10, COM, false);
    expect(nextEnvelope(session, queue)).toBeNull();
  });

  it('is none where nobody waits', () => {
    const { session, queue } = meeting(COM, 1, null);
    expect(nextEnvelope(session, queue)).toBeNull();
    expect(takenIn(session, null)).toBe(0);
  });
});
