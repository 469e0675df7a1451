import type { ReplyClass } from '../classification.js';

/**
 * Meaning of RFC 3463 codes at RCPT, by `subject.detail`, as servers use them (IANA registry, plus Microsoft's and
 * Google's own). For a missing or `null` code, the text or the basic code decides.
 */
const MEANINGS: Readonly<Record<string, ReplyClass | null>> = {
  '1.0': null,
  '1.1': 'mailbox_not_found',
  // The domain cannot be routed from there: nobody looked for the mailbox.
  '1.2': 'relay_denied',
  '1.3': 'mailbox_not_found',
  '1.6': 'mailbox_not_found',
  '1.9': 'policy',
  // IANA: the recipient's domain has a null MX; Microsoft: recipient not found. Either way no mail arrives.
  '1.10': 'mailbox_not_found',
  // Exchange Online relays the next server's answer.
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

/** Microsoft's codes of x.7.5xx that are about the recipient: not valid, banned. */
const BARRED_RECIPIENTS: ReadonlySet<number> = new Set([504, 505]);

/**
 * Codes about the sender only. They decide before any text, which often quotes the recipient just because the refusal
 * came at RCPT (`550 5.7.25 <x>: Recipient address rejected: …`).
 */
function speaksOfSender(subject: number, detail: number): boolean {
  if (subject === 1) return detail === 7 || detail === 8;
  if (subject !== 7 || BARRED_RECIPIENTS.has(detail)) return false;
  return (detail >= 20 && detail <= 32) || detail === 40 || (detail >= 500 && detail <= 999);
}

interface EnhancedMeaning {
  /** Null if the code leaves it open. */
  readonly class: ReplyClass | null;
  /** True if no text can override it. */
  readonly definite: boolean;
}

/**
 * RFC 3463's 7.2 (a list we may not write to) and Microsoft's codes for a recipient that accepts mail only from some
 * senders: a group, room, mailbox or public folder. Their text asks for a login, which no outsider can have.
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

/** Codes that mean less, or something else, in a 4xx. */
const TRANSIENT_MEANINGS: Readonly<Record<string, ReplyClass | null>> = {
  // Gmail: gets too much mail; others: temporarily locked.
  '2.1': null,
  // Overload, not a rule against us.
  '3.2': 'server_fault',
};

/**
 * @param key `subject.detail` of an RFC 3463 code
 * @param permanent true in a 5xx
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
