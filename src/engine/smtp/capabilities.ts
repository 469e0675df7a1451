import type { Reply } from './reply.js';

/** The relevant extensions that a host offers in its EHLO reply (RFC 1869, 2920, 3207, 6531). */
export interface Capabilities {
  readonly pipelining: boolean;
  readonly startTls: boolean;
  readonly smtpUtf8: boolean;
}

/** For a host greeted with HELO, or not greeted yet. */
export const NO_CAPABILITIES: Capabilities = { pipelining: false, startTls: false, smtpUtf8: false };

/** Keywords stand one a line from the second line on, in any case, perhaps with parameters. */
export function capabilitiesOf(ehloReply: Reply): Capabilities {
  const keywords = new Set(
    ehloReply.lines.slice(1).map((line) => (line.trim().split(/[\s=]/, 1)[0] ?? '').toUpperCase()),
  );
  return {
    pipelining: keywords.has('PIPELINING'),
    startTls: keywords.has('STARTTLS'),
    smtpUtf8: keywords.has('SMTPUTF8'),
  };
}
