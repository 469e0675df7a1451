import type { ReplyClass, Subject } from './classification.js';
import { DO_NOT_PROBE } from './judge-recipient.js';
import type { ProbeFacts } from './prober.js';
import type { SmtpStage } from './reply.js';
import type { WitnessFinding } from './witness.js';

const ASKED: Readonly<Record<SmtpStage, string>> = {
  none: 'before it was asked anything',
  connect: 'to the connection',
  greeting: 'in its greeting',
  ehlo: 'to EHLO',
  starttls: 'to STARTTLS',
  mail: 'to MAIL FROM',
  rcpt: 'to RCPT TO',
};

const READ_AS: Readonly<Record<ReplyClass, string>> = {
  accepted: 'accepted',
  mailbox_not_found: 'no such mailbox',
  mailbox_disabled: 'mailbox disabled',
  mailbox_full: 'mailbox full',
  mailbox_rate_limited: 'this mailbox gets too much mail right now',
  recipient_restricted: 'this recipient takes mail from some senders only',
  greylisted: 'greylisting: come back later',
  server_fault: 'trouble of the server',
  too_many_recipients: 'too many recipients in one session',
  policy: 'a refusal of us, by policy or reputation',
  relay_denied: 'relaying denied',
  auth_required: 'authentication demanded',
  tls_required: 'TLS demanded',
  unattributed: 'nothing that says what it is about',
};

const SPEAKS_OF: Readonly<Record<Subject, string>> = {
  mailbox: 'It speaks of the mailbox.',
  us: 'It speaks of us, so it says nothing about the mailbox.',
  server: 'It speaks of the server, not of the mailbox.',
  nobody: 'It does not say of whom it speaks.',
};

const RANDOM: Readonly<Record<ProbeFacts['random'], string | null>> = {
  accepted: 'A random mailbox was accepted too: this host takes mail for anybody.',
  refused: 'A random mailbox was refused: this host tells mailboxes apart.',
  inconclusive: 'The answer about a random mailbox proves nothing either way.',
  not_asked: null,
};

const WITNESS: Readonly<Record<WitnessFinding, string>> = {
  recipient_accepted:
    'Another recipient of the domain was accepted in the same session: the refusal speaks of this one.',
  recipient_accepted_before:
    'Another recipient of the domain was accepted there before from the same egress, and nothing says that the host refuses us since: the refusal speaks of this one.',
  postmaster_accepted: 'Postmaster was accepted in the same session.',
  postmaster_refused_alike:
    'Postmaster, or a recipient accepted before, was refused alike: it speaks of us or of the whole domain, not of the mailbox.',
  inconclusive: 'No other recipient shows of whom it speaks: it proves nothing.',
};

/** Explains a probe and how its answer was read, in sentences for an operator. */
export function explainProbe(facts: ProbeFacts): string[] {
  return [ending(facts), witness(facts), RANDOM[facts.random]].filter((sentence) => sentence !== null);
}

function witness({ witness: found, subject }: ProbeFacts): string | null {
  if (found === undefined) return null;
  if (found !== 'postmaster_accepted') return WITNESS[found];
  const proof =
    subject === 'mailbox'
      ? 'so it speaks of this mailbox.'
      : 'but it has words or a code of policy: it proves nothing.';
  return `${WITNESS[found].slice(0, -1)}, ${proof}`;
}

function ending(facts: ProbeFacts): string {
  const host = facts.host ?? 'The mail host';
  switch (facts.ending) {
    case 'no_connection':
      return 'No mail host let us connect.';
    case 'backed_off':
      return facts.rule === DO_NOT_PROBE.rule
        ? `${host} is on the do-not-probe list and was left alone.`
        : `${host} refused us lately and was left alone.`;
    case 'timeout':
      return `${host} gave no answer ${ASKED[facts.stage]} in time.`;
    case 'closed':
      return `${host} hung up instead of an answer ${ASKED[facts.stage]}.`;
    case 'garbage':
      return `What ${host} answered ${ASKED[facts.stage]} is no usable SMTP reply.`;
    default:
      return `${host} answered ${code(facts)}${ASKED[facts.stage]}. ${reading(facts)}`;
  }
}

function code({ code: basic, enhanced }: ProbeFacts): string {
  return basic === null ? '' : `${basic}${enhanced === null ? '' : ` ${enhanced}`} `;
}

function reading({ class: read, subject, rule }: ProbeFacts): string {
  if (read === null || subject === null) return 'It was not read any further.';
  return `Read as: ${READ_AS[read]} (rule ${rule ?? 'unknown'}). ${SPEAKS_OF[subject]}`;
}
