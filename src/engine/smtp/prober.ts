import type { Address } from '../address/address.js';
import type { Deadline } from '../deadline.js';
import type { MailHost } from '../dns/mail-hosts.js';
import type { Trace } from '../trace.js';
import type { ReplyClass, SmtpDiagnosis, Subject } from './classification.js';
import type { SmtpStage } from './reply.js';
import type { WitnessFinding } from './witness.js';

/**
 * What a probe found out: facts, no verdict. Plain data, so that it can be cached and judged again later.
 * Over several mail hosts it describes the one where the dialogue came furthest.
 */
export interface ProbeFacts {
  /** Furthest stage at which this host was asked something. */
  readonly stage: SmtpStage;
  /**
   * How the dialogue ended at that stage:
   * `reply`: a reply was classified; `timeout`: it did not come; `closed`: the peer hung up without one;
   * `garbage`: oversized or not SMTP; `no_connection`: no mail host let us connect;
   * `backed_off`: nothing was asked: our own back-off after this host refused us, or it is on the do-not-probe list (then
   * the rule says so).
   */
  readonly ending: 'reply' | 'timeout' | 'closed' | 'garbage' | 'no_connection' | 'backed_off';
  readonly code: number | null;
  readonly enhanced: string | null;
  readonly class: ReplyClass | null;
  readonly subject: Subject | null;
  readonly permanent: boolean;
  readonly diagnosis: SmtpDiagnosis | null;
  readonly rule: string | null;
  /** Delay a deferral asked for, seconds. */
  readonly retryAfterSeconds: number | null;
  /** What became of the random recipient; `not_asked` unless enhanced. It never says anything about the address. */
  readonly random: 'accepted' | 'refused' | 'inconclusive' | 'not_asked';
  /** What proved, or did not prove, of whom a refusal speaks; left out where its own words and codes do. */
  readonly witness?: WitnessFinding | undefined;
  /** Name of the mail host these facts come from. */
  readonly host: string | null;
  /** Id of the egress used; a greylist retry must use it again. */
  readonly egress: string | null;
}

export type ProbeOutcome =
  | { readonly kind: 'facts'; readonly facts: ProbeFacts }
  /** Our own failure (network, proxy, port 25, politeness limits at the deadline): never a verdict, never charged. */
  | {
      readonly kind: 'unavailable';
      readonly why: string;
      /** Only our own politeness limits were in the way: a later try may fare better. */
      readonly busy?: true;
    };

/**
 * Called with each stage that a probe reaches, further than all before: `connect` when an address did not let us in, the later
 * ones when the host is waited for there.
 */
export type OnStage = (stage: SmtpStage) => void;

export interface ProbeRequest {
  readonly address: Address;
  /** In the order to be tried. */
  readonly hosts: readonly MailHost[];
  /** Ask for a random recipient too, after the real one (enhanced). */
  readonly randomRecipient: boolean;
  /** Egress to use (a greylist retry), or null for any. */
  readonly egress: string | null;
  readonly deadline: Deadline;
  /** How long to wait for leave of our own politeness limits, milliseconds in all; to the deadline when left out. */
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
