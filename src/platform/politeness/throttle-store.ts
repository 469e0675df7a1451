import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import type { Limits } from './limits.js';

/** Where the state of one group of mail hosts, one egress and one domain stands. */
export interface ThrottleKeys {
  readonly connections: string;
  readonly rate: string;
  readonly providerRefusals: string;
  readonly domainRefusals: string;
  /** Until when each requester has used up the pace, as if it were alone. */
  readonly shares: string;
  /** Requesters that wait, and until when they count as waiting. */
  readonly waiting: string;
}

export interface PermitRequest {
  readonly keys: ThrottleKeys;
  readonly recipients: number;
  readonly limits: Limits;
  /** After so long the connection counts as gone, whatever became of its holder; null: no connection is asked for. */
  readonly leaseMs: number | null;
  /** Who asks; those who have no name share one turn. */
  readonly requester?: string | undefined;
  /** How long it waits where it is told to; 0 when left out. */
  readonly patienceMs?: number | undefined;
}

export type ThrottleAnswer =
  /** To be called once. */
  | { readonly kind: 'granted'; giveBack(outcome: SessionsOutcome): Promise<void> }
  | { readonly kind: 'backed_off' }
  /** `rate`: not before `waitMs`; `connections`: at the latest then; `turn`: others come first, until then. */
  | { readonly kind: 'wait'; readonly for: 'rate' | 'connections' | 'turn'; readonly waitMs: number };

/** The book of connections, recipients and refusals. Both of its promises may reject where it is kept elsewhere. */
export interface ThrottleStore {
  acquire(claim: PermitRequest): Promise<ThrottleAnswer>;
}

/** The part in braces makes a Redis cluster keep them together. Holds names of hosts and domains, never an address. */
export function throttleKeys(group: string, egressId: string, domain: string): ThrottleKeys {
  const prefix = `mailvet:politeness:{${group}|${egressId}}`;
  return {
    connections: `${prefix}:connections`,
    rate: `${prefix}:rate`,
    providerRefusals: `${prefix}:refusals`,
    domainRefusals: `${prefix}:refusals:${domain}`,
    shares: `${prefix}:shares`,
    waiting: `${prefix}:waiting`,
  };
}
