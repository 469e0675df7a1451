import type { Address } from '../../address/address.js';
import type { Deadline } from '../../deadline.js';
import type { MailHost } from '../../dns/mail-hosts.js';
import type { Trace } from '../../trace.js';
import type { ProbeOutcome } from '../prober.js';
import type { FirstBatches } from './first-batches.js';

export interface BulkRecipient {
  /** The caller's index of the recipient, passed to `onOutcome`. */
  readonly index: number;
  readonly address: Address;
  /** Egress to use (a greylist retry); any when left out or null. */
  readonly egress?: string | null | undefined;
}

/** Recipients of one domain. */
export interface BulkDomain {
  /** A-label form, as in the addresses. */
  readonly domain: string;
  /** In the order to try them. */
  readonly hosts: readonly MailHost[];
  readonly recipients: readonly BulkRecipient[];
  /** Ask about a random recipient of the domain too (enhanced). */
  readonly randomRecipient: boolean;
}

/** Concurrent connections per egress where a request names none. */
export const USUAL_CONNECTIONS = 10;

/** The connections per egress that a request may have at once. */
export interface AllowedConnections {
  readonly count: number;
  /** @param listener called when there are more */
  readonly onMore?: (listener: () => void) => void;
}

/** Domains that share mail hosts share connections, so group domains of one provider in one request. */
export interface BulkProbeRequest {
  readonly domains: readonly BulkDomain[];
  readonly deadline: Deadline;
  /** Concurrent connections per egress; politeness or the mail host may allow fewer. Default: `USUAL_CONNECTIONS`. */
  readonly connections?: AllowedConnections | undefined;
  /** How long to wait for a connection permit, milliseconds; to the deadline when left out. */
  readonly patienceMs?: number | undefined;
  /** See `PolitenessRequest`. */
  readonly requester?: string | undefined;
  readonly trace?: Trace | undefined;
  /** What other requests for the same list of addresses have learnt about it, to which this one adds. */
  readonly list?: FirstBatches | undefined;
  /** Called exactly once for each recipient, as soon as its outcome is known. Must not throw. */
  readonly onOutcome: (index: number, outcome: ProbeOutcome) => void;
}

/** Asks about many recipients over few connections. Each outcome is what a `Prober` would find for that address. */
export interface BulkProber {
  /** Resolves when every recipient has its outcome. Never rejects for a failure of a mail host or the network. */
  probe(request: BulkProbeRequest): Promise<void>;
}
