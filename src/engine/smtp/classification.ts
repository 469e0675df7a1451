import type { SmtpStage } from './reply.js';

/** What a refusal or deferral says. */
export type ReplyClass =
  | 'accepted'
  | 'mailbox_not_found'
  | 'mailbox_disabled'
  | 'mailbox_full'
  /** The mailbox gets too much mail right now (Gmail 4.2.1 / 5.2.1): it exists. */
  | 'mailbox_rate_limited'
  /** The recipient accepts mail only from some senders, not from us: a closed group, an internal mailbox. */
  | 'recipient_restricted'
  | 'greylisted'
  /** The server's own trouble: storage (4.3.1), local error, resources. */
  | 'server_fault'
  | 'too_many_recipients'
  /** The host refuses us: reputation, blocklist, reverse DNS, SPF, rate, HELO, content policy. */
  | 'policy'
  | 'relay_denied'
  | 'auth_required'
  | 'tls_required'
  /** The reply does not say what it is about. */
  | 'unattributed';

/** Whom a reply is about. `us` never becomes a verdict on a mailbox (decisions 6.4). */
export type Subject = 'mailbox' | 'us' | 'server' | 'nobody';

export const SMTP_DIAGNOSES = [
  'accepted',
  'mailbox_full',
  'mailbox_disabled',
  'mailbox_not_found',
  'greylist_deferred',
  'policy_block',
] as const;
/** `smtp_diagnosis` of the API. */
export type SmtpDiagnosis = (typeof SMTP_DIAGNOSES)[number];

/**
 * Which other recipient must be accepted to prove that a permanent refusal is about its own recipient, if its words and
 * codes do not prove it (decisions 6.12):
 * - `anybody`: any other recipient of the domain, postmaster included.
 * - `no_postmaster`: any but postmaster, because the refusal has a word or code of policy, and hosts accept
 *   postmaster's mail before they consult their blocklists.
 */
export type WitnessNeed = 'anybody' | 'no_postmaster';

export interface Classification {
  readonly class: ReplyClass;
  readonly subject: Subject;
  /** True for a 5xx. A 4xx is never permanent, whatever it says. */
  readonly permanent: boolean;
  readonly diagnosis: SmtpDiagnosis | null;
  /** The rule that decided, for `--explain`, metrics and the cache. Stable, kebab-case. */
  readonly rule: string;
  /** The delay that a deferral asked for, in seconds; null if none. */
  readonly retryAfterSeconds: number | null;
  /** Set if class, subject and diagnosis are a guess that needs a witness; left out if they are proven. */
  readonly needsWitness?: WitnessNeed | undefined;
}

/** Context of a reply for the classifier. */
export interface ReplyContext {
  readonly stage: SmtpStage;
  /** The recipient asked about; removed from the text first. */
  readonly recipient: string | null;
  /** Our HELO name, sender and addresses; removed from the text too. */
  readonly ownNames: readonly string[];
  /** Provider id of the mail host (`providers.ts`), or null. */
  readonly provider: string | null;
}
