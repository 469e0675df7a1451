import type { Address } from '../address/address.js';
import type { Deadline } from '../deadline.js';
import type { MailHost } from '../dns/mail-hosts.js';
import type { Trace } from '../trace.js';
import type { ReplyClass, SmtpDiagnosis, Subject } from './classification.js';
import type { SmtpStage } from './reply.js';
import type { WitnessFinding } from './witness.js';

/**
 * What a probe found out: facts, no verdict. Plain data, so that it can be cached and judged again later. Describes the
 * mail host where the dialogue came furthest.
 */
export interface ProbeFacts {
  /** Furthest stage at which we asked this host something. */
  readonly stage: SmtpStage;
  /**
   * How the dialogue ended at that stage:
   * - `reply`: a reply was classified;
   * - `timeout`: no reply came in time;
   * - `closed`: the peer hung up without one;
   * - `garbage`: oversized or not SMTP;
   * - `no_connection`: no mail host let us connect;
   * - `backed_off`: nothing was asked, because this host refused us lately or (then the rule says so) is on the
   *   do-not-probe list.
   */
  readonly ending: 'reply' | 'timeout' | 'closed' | 'garbage' | 'no_connection' | 'backed_off';
  readonly code: number | null;
  readonly enhanced: string | null;
  readonly class: ReplyClass | null;
  readonly subject: Subject | null;
  readonly permanent: boolean;
  readonly diagnosis: SmtpDiagnosis | null;
  readonly rule: string | null;
  /** Delay that a deferral asked for, seconds. */
  readonly retryAfterSeconds: number | null;
  /** Result of the random recipient; `not_asked` unless enhanced. It says nothing about the address. */
  readonly random: 'accepted' | 'refused' | 'inconclusive' | 'not_asked';
  /** The answer to another recipient. Left out if the own words and codes of a refusal prove whom it is about. */
  readonly witness?: WitnessFinding | undefined;
  /** Name of the mail host these facts come from. */
  readonly host: string | null;
  /** Id of the egress; a greylist retry must use it again. */
  readonly egress: string | null;
}

export type ProbeOutcome =
  | { readonly kind: 'facts'; readonly facts: ProbeFacts }
  /** Our own failure (network, proxy, port 25, politeness limits at the deadline): never a verdict, never charged. */
  | {
      readonly kind: 'unavailable';
      readonly why: string;
      /** Only our own politeness limits stopped the probe: a later try may succeed. */
      readonly busy?: true;
      /** Milliseconds until these limits allow it, if known. */
      readonly freeInMs?: number;
    };

/**
 * Called with each new furthest stage of a probe: `connect` when an address refuses the connection, later stages when
 * we wait for the host there.
 */
export type OnStage = (stage: SmtpStage) => void;

export interface ProbeRequest {
  readonly address: Address;
  /** In the order to try. */
  readonly hosts: readonly MailHost[];
  /** Also ask for a random recipient, after the real one (enhanced). */
  readonly randomRecipient: boolean;
  /** Id of the egress to use (a greylist retry), or null for any. */
  readonly egress: string | null;
  readonly deadline: Deadline;
  /** How long to wait for our politeness limits in total, milliseconds. Default: until the deadline. */
  readonly patienceMs?: number | undefined;
  /** See `PolitenessRequest`. */
  readonly requester?: string | undefined;
  /** See `CheckOptions`. */
  readonly onStage?: OnStage | undefined;
  readonly trace?: Trace | undefined;
}

export interface Prober {
  /** Never throws for anything a mail host or the network does. */
  probe(request: ProbeRequest): Promise<ProbeOutcome>;
}
