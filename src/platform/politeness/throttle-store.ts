import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import type { Limits } from './limits.js';

/** What every key begins with. */
const PREFIX = throttleKeys('', '', '').rate.split('{')[0]!;
const REFUSALS = /^\{([^|]+)\|([^}]+)\}:refusals(?::(.+))?$/;

/** Keys of the state of one group of mail hosts, one egress and one domain. */
export interface ThrottleKeys {
  readonly connections: string;
  readonly rate: string;
  readonly providerRefusals: string;
  readonly domainRefusals: string;
  /** Each requester's own use of the pace: the time until which it has used it up. */
  readonly shares: string;
  /** Waiting requesters, and until when each counts as waiting. */
  readonly waiting: string;
}

export interface PermitRequest {
  readonly keys: ThrottleKeys;
  readonly recipients: number;
  readonly limits: Limits;
  /** The connection's lease expires after this time, even if its holder crashed; null: no connection is requested. */
  readonly leaseMs: number | null;
  /** Requests without a requester share one turn. */
  readonly requester?: string | undefined;
  /** How long the requester can wait; 0 when left out. */
  readonly patienceMs?: number | undefined;
}

export type ThrottleAnswer =
  /** Call it exactly once. `further`: recipients asked about beyond those requested. */
  | { readonly kind: 'granted'; release(outcome: SessionsOutcome, further?: number): Promise<void> }
  | { readonly kind: 'backed_off' }
  /** `rate`: wait at least `waitMs`; `connections`: at most `waitMs`; `turn`: others go first, until then. */
  | { readonly kind: 'wait'; readonly for: 'rate' | 'connections' | 'turn'; readonly waitMs: number };

/** Stores connections, recipients and refusals. A remote store may reject either promise. */
export interface ThrottleStore {
  acquire(request: PermitRequest): Promise<ThrottleAnswer>;
}

/** What a key of refusals stands for; null: it is none. */
export function refusalsNamed(key: string): { group: string; egressId: string; domain: string | null } | null {
  if (!key.startsWith(PREFIX)) return null;
  const [, group, egressId, domain = null] = REFUSALS.exec(key.slice(PREFIX.length)) ?? [];
  return group === undefined || egressId === undefined ? null : { group, egressId, domain };
}

/** The braces keep the keys in one slot of a Redis cluster. Keys hold names of hosts and domains, never an address. */
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
