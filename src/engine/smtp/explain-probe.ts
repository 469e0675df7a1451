import type { ReplyClass, Subject } from './classification.js';
import { DO_NOT_PROBE } from './judge-recipient.js';
import type { ProbeFacts } from './prober.js';
import type { SmtpStage } from './reply.js';

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

/** What a probe found out and how its answer was read, in sentences for an operator. */
export function explainProbe(facts: ProbeFacts): string[] {
  return [ending(facts), RANDOM[facts.random]].filter((sentence) => sentence !== null);
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
