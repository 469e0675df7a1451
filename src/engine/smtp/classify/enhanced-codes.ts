import type { ReplyClass } from '../classification.js';

/**
 * What RFC 3463 codes mean at RCPT, by `subject.detail`, as the field uses them (IANA registry; Microsoft's and Google's
 * own codes beside it). A code that is not here, or is `null`, says too little: the text or the basic code decides.
 */
const MEANINGS: Readonly<Record<string, ReplyClass | null>> = {
  '1.0': null,
  '1.1': 'mailbox_not_found',
  // The domain cannot be routed from there: nobody looked for the mailbox.
  '1.2': 'relay_denied',
  '1.3': 'mailbox_not_found',
  '1.6': 'mailbox_not_found',
  '1.7': 'policy',
  '1.8': 'policy',
  '1.9': 'policy',
  // IANA: the recipient's domain has a null MX; Microsoft: recipient not found. Either way no mail arrives.
  '1.10': 'mailbox_not_found',
  // Exchange Online passes on what the next server said.
  '1.351': 'mailbox_not_found',
  '1.90': 'policy',
  '2.1': 'mailbox_disabled',
  '2.2': 'mailbox_full',
  '2.121': 'policy',
  '2.122': 'mailbox_rate_limited',
  '3.1': 'server_fault',
  '3.2': 'policy',
  '3.3': 'server_fault',
  '3.4': 'server_fault',
  '3.5': 'server_fault',
  '4.6': 'server_fault',
  '5.1': 'server_fault',
  '5.2': 'server_fault',
  '5.3': 'too_many_recipients',
  '5.4': 'server_fault',
  '5.5': 'server_fault',
  '7.4': 'auth_required',
  '7.8': 'auth_required',
  '7.9': 'auth_required',
  '7.10': 'tls_required',
  '7.11': 'tls_required',
  '7.12': 'auth_required',
  '7.13': 'mailbox_disabled',
  '7.14': 'auth_required',
  '7.17': 'mailbox_disabled',
  '7.18': 'mailbox_disabled',
  '7.54': 'relay_denied',
  '7.57': 'auth_required',
  '7.64': 'relay_denied',
};

/**
 * Codes that speak of the sender and nothing else: they decide before any text, which often quotes the recipient only
 * because the refusal happened to come at RCPT (`550 5.7.25 <x>: Recipient address rejected: …`).
 */
function speaksOfSender(subject: number, detail: number): boolean {
  if (subject === 1) return detail === 7 || detail === 8;
  if (subject !== 7) return false;
  return (detail >= 20 && detail <= 32) || detail === 40 || (detail >= 500 && detail <= 999);
}

interface EnhancedMeaning {
  /** Null when the code leaves it open. */
  readonly class: ReplyClass | null;
  /** True when no text can change it. */
  readonly definite: boolean;
}

/**
 * RFC 3463's 7.2 (a list that we may not write to) and Microsoft's codes for a recipient that takes mail from some senders only: a group, a room, a mailbox, a public folder. The words
 * beside them ask for a login, which nobody from outside can have.
 */
const RECIPIENT_RESTRICTIONS: ReadonlySet<string> = new Set([
  '7.2',
  '7.123',
  '7.124',
  '7.125',
  '7.126',
  '7.129',
  '7.133',
  '7.134',
  '7.135',
  '7.136',
  '7.193',
]);

/** Codes that say less, or something else, in a 4xx. */
const TRANSIENT_MEANINGS: Readonly<Record<string, ReplyClass | null>> = {
  // Gmail: gets too much mail; others: locked for a moment.
  '2.1': null,
  // Overload, not a rule against us.
  '3.2': 'server_fault',
};

/**
 * @param key `subject.detail` of an RFC 3463 code.
 * @param permanent whether it stands in a 5xx.
 */
export function meaningOfEnhanced(key: string, permanent: boolean): EnhancedMeaning {
  const dot = key.indexOf('.');
  const subject = Number(key.slice(0, dot));
  const detail = Number(key.slice(dot + 1));
  if (speaksOfSender(subject, detail)) return { class: 'policy', definite: true };
  if (RECIPIENT_RESTRICTIONS.has(key)) return { class: 'recipient_restricted', definite: true };
  const known = permanent || !(key in TRANSIENT_MEANINGS) ? MEANINGS[key] : TRANSIENT_MEANINGS[key];
  if (known !== undefined) return { class: known, definite: false };
  if (subject === 4) return { class: 'server_fault', definite: false };
  if (subject === 7 && detail > 1) return { class: 'policy', definite: false };
  return { class: null, definite: false };
}
