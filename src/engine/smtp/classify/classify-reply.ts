import type {
  Classification,
  ReplyClass,
  ReplyContext,
  SmtpDiagnosis,
  Subject,
  WitnessNeed,
} from '../classification.js';
import type { Reply } from '../reply.js';
import { meaningOfEnhanced } from './enhanced-codes.js';
import { findPatterns } from './find-pattern.js';
import type { FoundPatterns, PatternMatch } from './find-pattern.js';
import { IP_WORD, readReplyText, type ReplyText } from './reply-text.js';
import type { Strength } from './reply-pattern.js';
import { retryDelay } from './retry-delay.js';

/** A class and the rule that chose it. */
interface Reading {
  readonly class: ReplyClass;
  readonly rule: string;
  /** How strongly the text says it; undefined if a code decided. */
  readonly strength?: Strength;
  readonly needsWitness?: WitnessNeed | null;
}

const SUBJECTS: Readonly<Record<ReplyClass, Subject>> = {
  accepted: 'mailbox',
  mailbox_not_found: 'mailbox',
  mailbox_disabled: 'mailbox',
  mailbox_full: 'mailbox',
  mailbox_rate_limited: 'mailbox',
  recipient_restricted: 'mailbox',
  greylisted: 'server',
  server_fault: 'server',
  too_many_recipients: 'nobody',
  policy: 'us',
  relay_denied: 'us',
  auth_required: 'us',
  tls_required: 'us',
  unattributed: 'nobody',
};

/**
 * Classifies a reply: whom it is about and what it says (decisions 6.4). The stage decides first, then the class of the
 * code, the text without echoes, the enhanced code, the basic code. Pure; linear in a bounded part of the text; never
 * throws.
 */
export function classifyReply(reply: Reply, context: ReplyContext): Classification {
  if (reply.mixed) return classification(reply, { class: 'unattributed', rule: 'mixed-codes' }, 'nobody', false, null);
  if (reply.code < 300) return accepted(reply, context);
  if (reply.code < 400)
    return classification(reply, { class: 'unattributed', rule: 'code-3xx' }, 'nobody', false, null);
  return context.stage === 'rcpt' ? atRecipient(reply, context) : beforeRecipient(reply, context);
}

function accepted(reply: Reply, context: ReplyContext): Classification {
  // 252 "cannot verify, but will accept" (RFC 5321 4.2.3) is accepted under its own rule.
  const rule = reply.code === 252 ? 'accepted-unverified' : 'accepted';
  const atRcpt = context.stage === 'rcpt';
  return classification(
    reply,
    { class: 'accepted', rule },
    atRcpt ? 'mailbox' : 'nobody',
    false,
    atRcpt ? 'accepted' : null,
  );
}

function atRecipient(reply: Reply, context: ReplyContext): Classification {
  const permanent = reply.code >= 500;
  const reading = read(reply, context);
  if (permanent) {
    return classification(reply, reading, SUBJECTS[reading.class], true, diagnosisOf(reading.class));
  }
  if (reading.class === 'mailbox_not_found' || reading.class === 'recipient_restricted') {
    // A deferral never means a missing mailbox: a look-up may have failed, or the server disguises greylisting.
    return classification(reply, { ...reading, class: 'unattributed' }, 'mailbox', false, 'greylist_deferred');
  }
  if (reply.code === 421 && !saysMore(reading)) return closedOnUs(reply, reading);
  return classification(reply, reading, SUBJECTS[reading.class], false, transientDiagnosis(reading.class));
}

/** Greeting, EHLO, STARTTLS and MAIL never judge a mailbox: no recipient was named yet. */
function beforeRecipient(reply: Reply, context: ReplyContext): Classification {
  const permanent = reply.code >= 500;
  const reading = read(reply, context);
  const subject = SUBJECTS[reading.class];
  if (reply.code === 421 && !(reading.class === 'greylisted' && reading.strength === 'explicit') && subject !== 'us') {
    return closedOnUs(reply, reading);
  }
  if (subject === 'mailbox' || reading.class === 'too_many_recipients' || reading.class === 'unattributed') {
    if (permanent && !isProtocolCode(reply.code)) {
      return classification(reply, { class: 'policy', rule: reading.rule }, 'us', true, 'policy_block');
    }
    return classification(reply, { class: 'unattributed', rule: reading.rule }, 'nobody', permanent, null);
  }
  const diagnosis = subject === 'us' ? 'policy_block' : reading.class === 'greylisted' ? 'greylist_deferred' : null;
  return classification(reply, reading, subject, permanent, diagnosis);
}

/** A 421: the host closes the channel on us, whatever it says about its health (decisions 5.1 row 17). */
function closedOnUs(reply: Reply, { rule }: Reading): Classification {
  return classification(reply, { class: 'policy', rule }, 'us', false, 'policy_block');
}

function read(reply: Reply, context: ReplyContext): Reading {
  const text = readReplyText(reply, context);
  const reading = readWords(reply, context, text);
  const aboutMailbox = SUBJECTS[reading.class] === 'mailbox' || reading.class === 'unattributed';
  return text.aboutSender && aboutMailbox && !isProtocolCode(reply.code) ? SENDER_QUOTED : reading;
}

/** "<our sender>: user unknown": the missing mailbox is ours. */
const SENDER_QUOTED: Reading = { class: 'policy', rule: 'sender-quoted', strength: 'explicit' };

function readWords(reply: Reply, context: ReplyContext, text: ReplyText): Reading {
  const permanent = reply.code >= 500;
  const enhanced = reply.enhanced ?? text.enhanced;
  const key = enhanced === null ? null : enhanced.slice(2);
  const meaning = key === null ? null : meaningOfEnhanced(key, permanent);
  if (meaning?.definite && meaning.class) return { class: meaning.class, rule: `enhanced-${key}` };
  const found = findPatterns(text.words, { provider: context.provider, enhanced: key, permanent });
  const reading = decide(reply, key, meaning?.class ?? null, found.match);
  if (!permanent || context.stage !== 'rcpt') return reading;
  const evidence = {
    code: reply.code,
    key,
    meant: meaning?.class ?? null,
    found,
    isForeign: reply.lines.some(isForeign),
    namesClient: text.words.includes(IP_WORD),
  };
  return { ...reading, needsWitness: witnessNeed(reading, evidence) };
}

/** Combines words and codes. @param key @param meant key and meaning of the enhanced code */
function decide(reply: Reply, key: string | null, meant: ReplyClass | null, match: PatternMatch | null): Reading {
  if (match !== null && mayDecide(match, reply.code)) return match;
  if (
    isProtocolCode(reply.code) &&
    (key === null || key.startsWith('5.') || (meant === null && !key.startsWith('7.')))
  ) {
    return { class: 'unattributed', rule: `code-${reply.code}` };
  }
  if (meant !== null) return { class: meant, rule: `enhanced-${key}` };
  if (match?.strength === 'weak') return match;
  // x.7.0 and x.7.1: "security or policy".
  if (key?.startsWith('7.')) return { class: 'policy', rule: `enhanced-${key}` };
  return match ?? { class: BASIC_CODES[reply.code] ?? 'unattributed', rule: `code-${reply.code}` };
}

/** Classes of a mailbox that gets no mail. */
const REFUSES_MAILBOX: ReadonlySet<ReplyClass> = new Set<ReplyClass>([
  'mailbox_not_found',
  'mailbox_disabled',
  'mailbox_full',
]);

interface Evidence {
  readonly code: number;
  readonly key: string | null;
  /** Meaning of the enhanced code alone. */
  readonly meant: ReplyClass | null;
  readonly found: FoundPatterns;
  /** True if it holds non-English letters: it may hold words of policy that were not understood. */
  readonly isForeign: boolean;
  /** True if it names an IP address, as refusals of a client do. */
  readonly namesClient: boolean;
}

function isForeign(line: string): boolean {
  if (/^[\s!-~]*$/.test(line)) return false;
  // Echoed addresses, quotation marks and dashes do not make a text foreign.
  return line.split(/\s/).some((word) => !word.includes('@') && !/^[!-~\u2010-\u203f]*$/.test(word));
}

/**
 * Who must be accepted before a permanent refusal at RCPT judges its mailbox; null if plain words, or a specific code
 * that no word contradicts, say whom it is about. A refusal in plain words about us never judges a mailbox.
 */
function witnessNeed(
  reading: Reading & Partial<PatternMatch>,
  { code, key, meant, found, isForeign: foreign, namesClient }: Evidence,
): WitnessNeed | null {
  if (isProtocolCode(code) || SPECIFIC_CODES.has(code)) return null;
  const { strength } = reading;
  const hintsAtPolicy = foreign || key?.startsWith('7.') === true;
  const unproven = hintsAtPolicy ? 'no_postmaster' : 'anybody';
  switch (SUBJECTS[reading.class]) {
    case 'mailbox':
      if (!REFUSES_MAILBOX.has(reading.class)) return null;
      if (reading.proves === true) return found.accuses ? 'no_postmaster' : null;
      // Contradicting words override a specific code. Words that were not understood, trouble of the server, or the
      // address of a client, may contradict it.
      if (strength === undefined && meant !== null)
        return foreign || namesClient || found.match?.class === 'server_fault' ? 'anybody' : null;
      return unproven;
    case 'us':
      if (reading.class !== 'policy' || strength === 'explicit') return null;
      if (strength === 'word') {
        return reading.vague === true || (meant !== null && REFUSES_MAILBOX.has(meant)) ? 'no_postmaster' : null;
      }
      // x.7.0 and x.7.1 alone, or equally vague words.
      return meant === null && (strength !== undefined || key !== null) ? 'no_postmaster' : null;
    case 'nobody':
      return reading.class === 'unattributed' ? unproven : null;
    default:
      return null;
  }
}

/** Answering "out of turn" or "not implemented", a server can only mean a step that we left out. */
function mayDecide({ class: replyClass, strength }: PatternMatch, code: number): boolean {
  if (code === 502 || code === 503) return replyClass === 'auth_required' || replyClass === 'tls_required';
  return strength === 'explicit' || strength === 'word';
}

/** Meaning of basic codes at RCPT that say more than their first digit. */
const BASIC_CODES: Readonly<Record<number, ReplyClass>> = {
  421: 'policy',
  521: 'policy',
  525: 'mailbox_disabled',
  530: 'auth_required',
  535: 'auth_required',
  538: 'tls_required',
  // RFC 5321 4.2.3: exceeded storage allocation.
  552: 'mailbox_full',
  556: 'mailbox_not_found',
  570: 'policy',
  571: 'policy',
};

/** Basic codes that say whom they are about: a disabled account (RFC 5248), a domain that takes no mail (RFC 7504). */
const SPECIFIC_CODES: ReadonlySet<number> = new Set([525, 556]);

/**
 * The host did not understand our command, or it came out of turn: says nothing about anybody. 501 may still be about
 * an address.
 */
function isProtocolCode(code: number): boolean {
  return code === 500 || code === 502 || code === 503 || code === 504;
}

/** Readings of a 421 that say more than that the host closes the channel. */
function saysMore({ class: replyClass, strength }: Reading): boolean {
  if (replyClass === 'greylisted') return strength === 'explicit';
  return SUBJECTS[replyClass] === 'mailbox' || SUBJECTS[replyClass] === 'us';
}

/** A deferral that is not about us is `greylisted` in the verdict (decisions 5.1 row 16), so the diagnosis is too. */
function transientDiagnosis(replyClass: ReplyClass): SmtpDiagnosis {
  return diagnosisOf(replyClass) ?? 'greylist_deferred';
}

function diagnosisOf(replyClass: ReplyClass): SmtpDiagnosis | null {
  switch (replyClass) {
    case 'mailbox_not_found':
    case 'mailbox_disabled':
    case 'mailbox_full':
      return replyClass;
    case 'greylisted':
    case 'mailbox_rate_limited':
      return 'greylist_deferred';
    case 'recipient_restricted':
      return 'policy_block';
    default:
      return SUBJECTS[replyClass] === 'us' ? 'policy_block' : null;
  }
}

function classification(
  reply: Reply,
  reading: Reading,
  subject: Subject,
  permanent: boolean,
  diagnosis: SmtpDiagnosis | null,
): Classification {
  const mayAskBack = (reply.code >= 400 && !permanent) || reading.class === 'greylisted';
  const retryAfterSeconds = mayAskBack ? retryDelay(reply.lines) : null;
  const { needsWitness } = reading;
  return {
    class: reading.class,
    subject,
    permanent,
    diagnosis,
    rule: reading.rule,
    retryAfterSeconds,
    ...(needsWitness && { needsWitness }),
  };
}
