import type { SmtpStage } from './reply.js';

/** What a refusal or deferral speaks of. */
export type ReplyClass =
  | 'accepted'
  | 'mailbox_not_found'
  | 'mailbox_disabled'
  | 'mailbox_full'
  /** This mailbox gets too much mail right now (Gmail 4.2.1 / 5.2.1): it exists. */
  | 'mailbox_rate_limited'
  /** This recipient takes mail from some senders only, and we are none of them: a closed group, a mailbox for internal mail. */
  | 'recipient_restricted'
  | 'greylisted'
  /** The server's own trouble: storage (4.3.1), local error, resources. */
  | 'server_fault'
  | 'too_many_recipients'
  /** Refusals of us: reputation, blocklist, reverse DNS, SPF, rate, HELO, content policy. */
  | 'policy'
  | 'relay_denied'
  | 'auth_required'
  | 'tls_required'
  /** Nothing in the reply says what it speaks of. */
  | 'unattributed';

/** Of whom a reply speaks. `us` never becomes a verdict on a mailbox (decisions 6.4). */
export type Subject = 'mailbox' | 'us' | 'server' | 'nobody';

export const SMTP_DIAGNOSES = [
  'accepted',
  'mailbox_full',
  'mailbox_disabled',
  'mailbox_not_found',
  'greylist_deferred',
  'policy_block',
] as const;
/** `smtp_diagnosis` of the contract. */
export type SmtpDiagnosis = (typeof SMTP_DIAGNOSES)[number];

/**
 * Whose being accepted proves that a permanent refusal speaks of its own recipient, where its words and codes do not
 * (decisions 6.12): `anybody`: any other recipient of the domain, postmaster too; `no_postmaster`: any other but postmaster,
 * because the refusal has a word or code of policy, and hosts take postmaster's mail before they look at their block lists.
 */
export type WitnessNeed = 'anybody' | 'no_postmaster';

export interface Classification {
  readonly class: ReplyClass;
  readonly subject: Subject;
  /** True for a 5xx. A 4xx is never permanent, whatever it says. */
  readonly permanent: boolean;
  readonly diagnosis: SmtpDiagnosis | null;
  /** Identifies the rule that decided, for `--explain`, metrics and the cache. Stable, kebab-case. */
  readonly rule: string;
  /** The delay a deferral asked for, in seconds; null when it named none. */
  readonly retryAfterSeconds: number | null;
  /** Of whom this speaks is not proven: class, subject and diagnosis are a guess. Left out where they are proven. */
  readonly needsWitness?: WitnessNeed | undefined;
}

/** What the classifier is told beside the reply. */
export interface ReplyContext {
  readonly stage: SmtpStage;
  /** The recipient asked about: taken out of the text before it is read. */
  readonly recipient: string | null;
  /** Our own HELO name, sender and addresses: taken out of the text too. */
  readonly ownNames: readonly string[];
  /** Id of the mail host's provider (`providers.ts`), null when unknown. */
  readonly provider: string | null;
}
