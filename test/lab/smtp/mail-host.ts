/**
 * How one mail host behaves, as data: whatever is left out is done the way an ordinary, polite server does it.
 * A host with no more than `recipients` knows these mailboxes and refuses all others with 550 5.1.1.
 */
export interface MailHost {
  /** An address of its own is given to each host; set this to have another, such as `::1`. */
  readonly address?: string;
  /**
   * `accept`; `refused`: nobody listens; `dropped`: packets vanish and a connection is never made;
   * `reset`: a connection is cut at once.
   */
  readonly tcp?: 'accept' | 'refused' | 'dropped' | 'reset';
  /**
   * `scripted`: our own server, which can do all of this; `stock`: npm `smtp-server`, another's reading of the RFCs, which
   * knows `recipients`, `otherRecipients` and `starttls: 'works'` only.
   */
  readonly server?: 'scripted' | 'stock';
  /** Ports of the same address on which nobody should ever knock; connections there are counted. */
  readonly untouchedPorts?: readonly number[];

  readonly greeting?: Answer;
  /** A client that speaks before the greeting has ended gets this and is thrown out (postscreen). */
  readonly earlyTalker?: Answer;

  /** Instead of the list of extensions. */
  readonly ehlo?: Answer;
  readonly helo?: Answer;
  /** Extensions beside STARTTLS, PIPELINING and SMTPUTF8, as they stand in the reply. */
  readonly extensions?: readonly string[];
  /** Offered unless false. */
  readonly pipelining?: boolean;
  /** PIPELINING is offered and not borne: recipients of a session in which it was used get this. */
  readonly pipelinedAnswer?: Answer;
  readonly smtputf8?: boolean;
  /** EHLO and HELO are refused when the client's name has no dot, or is one of these. */
  readonly heloPolicy?: { readonly forbidden: readonly string[]; readonly answer: Answer };

  /**
   * Absent: not offered. `works`: with a self-signed certificate; `broken`: 220, then no TLS is spoken;
   * `injects`: works, with replies in plain text behind the 220.
   */
  readonly starttls?: 'works' | 'broken' | 'injects';
  /** Instead of the 220 of an offered STARTTLS. */
  readonly starttlsRefusal?: Answer;
  /** Without TLS this command gets the answer. */
  readonly tlsDemanded?: { readonly at: 'mail' | 'rcpt'; readonly answer: Answer };

  readonly mail?: Answer;
  /** MAIL without SMTPUTF8 gets this. */
  readonly smtputf8Demanded?: Answer;

  /** By local part, lowercase. */
  readonly recipients?: Readonly<Record<string, Answer>>;
  readonly otherRecipients?: Answer;
  /** By order within a session, before anything else; null leaves that one to the other rules. */
  readonly recipientsByOrder?: readonly (Answer | null)[];
  /** Every recipient of a session after the first `count` gets the answer. */
  readonly recipientLimit?: { readonly count: number; readonly answer: Answer };
  /** A recipient that would be accepted is deferred until `afterMs` after the first try of this sender and recipient. */
  readonly greylist?: { readonly afterMs: number; readonly answer: Answer };
  /** So many refusals in one session, and it is closed with a 421 (Postfix `smtpd_hard_error_limit`). */
  readonly hardErrorLimit?: number;

  readonly rset?: Answer;
  readonly quit?: Answer;

  /** Hangs up after a reply at this point. */
  readonly closeAfter?: 'greeting' | 'ehlo' | 'mail' | 'rcpt' | 'refused_rcpt';
  /** Beyond so many sessions at once the greeting is a 421. */
  readonly sessionLimit?: number;

  /** Before every reply. */
  readonly delayMs?: number;
  /**
   * The round-trip time of the line: what the client sends is heard so much later, and the greeting comes so much later.
   * Unlike `delayMs`, pipelined commands pay it once. The TCP handshake itself takes no time.
   */
  readonly roundTripMs?: number;
  /** How every reply is cut into packets. */
  readonly split?: 'line' | 'byte';
  /** Every reply of one line becomes one of three lines. */
  readonly multiline?: boolean;
  readonly lineEnd?: '\r\n' | '\n';

  /** What is different in the first, second, … session; the last one holds for all that follow. */
  readonly sessions?: readonly Partial<MailHost>[];
}

/** A reply as it stands on the wire without its line ends: one line, several, or something stranger. */
export type Answer = string | readonly string[] | ScriptedAnswer;

/** In a line `{recipient}`, `{sender}`, `{helo}` and `{client}` are replaced by what this session has. */
export interface ScriptedAnswer {
  readonly lines?: string | readonly string[];
  /** These bytes and no line. */
  readonly bytes?: Uint8Array;
  readonly delayMs?: number;
  /** Between two lines, each then a packet of its own. */
  readonly gapMs?: number;
  readonly afterwards?: 'close' | 'reset' | 'silence' | 'endless';
}

export const ACCEPTED = '250 2.1.5 Ok';
export const UNKNOWN_MAILBOX = '550 5.1.1 <{recipient}>: Recipient address rejected: User unknown';
