import type { BulkSession } from './bulk-session.js';
import { isSameEnvelope, type Envelope, type HostQueue } from './host-queue.js';

type Session = Pick<BulkSession, 'open' | 'taken' | 'count' | 'endTransaction'>;
type Queue = Pick<HostQueue, 'next'> & { readonly traits: Pick<HostQueue['traits'], 'transactionRoom' | 'mayBegin'> };

/**
 * Picks the envelope of a session's next batch; null ends the session. Ends a transaction that is full, so that the
 * same envelope continues in a new one.
 */
export function nextEnvelope(session: Session, queue: Queue): Envelope | null {
  if (session.open !== null && queue.traits.transactionRoom(session.taken) === 0) session.endTransaction();
  const next = queue.next({ fresh: false, open: session.open, domain: null });
  if (next === null || isSameEnvelope(next, session.open)) return next;
  return queue.traits.mayBegin(session.count.transactions) ? next : null;
}

/** Recipients that the open transaction has taken of this envelope; 0 for a new transaction. */
export function takenIn(session: Pick<Session, 'open' | 'taken'>, envelope: Envelope | null): number {
  return envelope !== null && isSameEnvelope(envelope, session.open) ? session.taken : 0;
}
