import type { BulkSession } from './bulk-session.js';
import { isSameEnvelope, type Envelope, type HostQueue } from './host-queue.js';

type Session = Pick<BulkSession, 'open' | 'taken' | 'count' | 'endTransaction'>;
type Desk = Pick<HostQueue, 'next'> & { readonly traits: Pick<HostQueue['traits'], 'transactionRoom' | 'mayBegin'> };

/**
 * The envelope of a session's next flight; null when the session has nothing more to ask. A transaction that has no more
 * room is ended, so that the same envelope may go on in a new one.
 */
export function nextEnvelope(session: Session, desk: Desk): Envelope | null {
  if (session.open !== null && desk.traits.transactionRoom(session.taken) === 0) session.endTransaction();
  const next = desk.next({ fresh: false, open: session.open, domain: null });
  if (next === null || isSameEnvelope(next, session.open)) return next;
  return desk.traits.mayBegin(session.count.transactions) ? next : null;
}

/** Recipients that the open transaction has taken, where the envelope is its; of a new one, none. */
export function takenIn(session: Pick<Session, 'open' | 'taken'>, envelope: Envelope | null): number {
  return envelope !== null && isSameEnvelope(envelope, session.open) ? session.taken : 0;
}
