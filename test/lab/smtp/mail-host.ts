/**
 * Behaviour of one mail host, as data; by default that of an ordinary, polite server. A host with only `recipients` has
 * these mailboxes and refuses all others with 550 5.1.1.
 */
export interface MailHost {
  /** Each host gets its own address; set this for another one, such as `::1`. */
  readonly address?: string;
  /**
   * - `accept`;
   * - `refused`: nobody listens;
   * - `dropped`: packets vanish and no connection is made;
   * - `reset`: a connection is cut at once.
   */
  readonly tcp?: 'accept' | 'refused' | 'dropped' | 'reset';
  /**
   * - `scripted`: our own server, which supports every setting;
   * - `stock`: npm `smtp-server`, an independent reading of the RFCs, which supports only `recipients`,
   *   `otherRecipients` and `starttls: 'works'`.
   */
  readonly server?: 'scripted' | 'stock';
  /** Ports of the same address that nobody should touch; connections are counted. */
  readonly untouchedPorts?: readonly number[];

  readonly greeting?: Answer;
  /** A client that talks before the greeting ends gets this and is disconnected (postscreen). */
  readonly earlyTalker?: Answer;

  /** Instead of the list of extensions. */
  readonly ehlo?: Answer;
  readonly helo?: Answer;
  /** Extensions beside STARTTLS, PIPELINING and SMTPUTF8, as they stand in the reply. */
  readonly extensions?: readonly string[];
  /** Offered unless false. */
  readonly pipelining?: boolean;
  /** PIPELINING is offered but does not work: recipients of a session that used it get this. */
  readonly pipelinedAnswer?: Answer;
  readonly smtputf8?: boolean;
  /** Refuses EHLO and HELO if the client's name has no dot, or is one of these. */
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
  /** By order within a session, before any other rule; null leaves the recipient to the other rules. */
  readonly recipientsByOrder?: readonly (Answer | null)[];
  /** Every recipient of a session after the first `count` gets the answer. */
  readonly recipientLimit?: { readonly count: number; readonly answer: Answer };
  /** Defers an acceptable recipient until `afterMs` after the first try of this sender and recipient. */
  readonly greylist?: { readonly afterMs: number; readonly answer: Answer };
  /** Number of refusals in one session after which it is closed with a 421 (Postfix `smtpd_hard_error_limit`). */
  readonly hardErrorLimit?: number;

  readonly rset?: Answer;
  readonly quit?: Answer;

  /** Hangs up after a reply at this point. */
  readonly closeAfter?: 'greeting' | 'ehlo' | 'mail' | 'rcpt' | 'refused_rcpt';
  /** Number of concurrent sessions beyond which the greeting is a 421. */
  readonly sessionLimit?: number;

  /** Before every reply. */
  readonly delayMs?: number;
  /**
   * Round-trip time: delays what the client sends, and the greeting, by this. Unlike `delayMs`, pipelined commands pay
   * it once. Does not delay the TCP handshake.
   */
  readonly roundTripMs?: number;
  /** How every reply is cut into packets. */
  readonly split?: 'line' | 'byte';
  /** Every reply of one line becomes one of three lines. */
  readonly multiline?: boolean;
  readonly lineEnd?: '\r\n' | '\n';

  /** Overrides for the first, second, … session; the last applies to all that follow. */
  readonly sessions?: readonly Partial<MailHost>[];
}

/** A reply on the wire without its line ends: one line, several, or something stranger. */
export type Answer = string | readonly string[] | ScriptedAnswer;

/** In a line `{recipient}`, `{sender}`, `{helo}` and `{client}` are replaced by what this session has. */
export interface ScriptedAnswer {
  readonly lines?: string | readonly string[];
  /** These bytes and no line. */
  readonly bytes?: Uint8Array;
  readonly delayMs?: number;
  /** The answer waits for this, too. */
  readonly until?: Promise<unknown>;
  /** Between two lines, each then a packet of its own. */
  readonly gapMs?: number;
  readonly afterwards?: 'close' | 'reset' | 'silence' | 'endless';
}

export const ACCEPTED = '250 2.1.5 Ok';
export const UNKNOWN_MAILBOX = '550 5.1.1 <{recipient}>: Recipient address rejected: User unknown';
