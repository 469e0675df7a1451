import { withoutNamesIf } from './classify/without-names.js';
import { demandsStartTls } from './demands-starttls.js';
import type { DialogueReport, SessionOptions } from './dialogue.js';

interface RetryableReport extends DialogueReport {
  /** STARTTLS is offered and was not tried: a fresh connection can meet a demand for it. */
  readonly tlsToBeHad?: boolean;
}

/**
 * How to retry a dialogue on a fresh connection (decisions 6.10); null if a retry could not say more. Retries a session
 * that got out of step, never an answer about a mailbox.
 */
export function retryOptions(sessionOptions: SessionOptions, report: RetryableReport): SessionOptions | null {
  if (report.closedOnTlsDemand) return { ...sessionOptions, startTls: true };
  const [real] = report.answers;
  if (real === undefined || report.smtpUtf8Missing) return null;
  if (real.kind === 'reply') {
    const { code, lines } = real.reply;
    // "503 send HELO/EHLO first" although we did: the host lost its state, usually behind a load balancer.
    if (code === 503 && says(/\b(?:helo|ehlo|hello)\b/i, lines)) return sessionOptions;
    // Offers PIPELINING and fails with it: a command that came too early is out of turn.
    if (report.pipelined && (code === 503 || (code > 500 && says(/pipelin/i, lines)))) {
      return { ...sessionOptions, pipelining: false };
    }
    // A host that does not know EHLO and hangs up on it.
    const unknownCommand = real.stage === 'ehlo' && (code === 500 || code === 502);
    if (unknownCommand && report.peerClosed) return withHelo(sessionOptions);
    return report.tlsToBeHad === true && demandsStartTls(real) ? { ...sessionOptions, startTls: true } : null;
  }
  if (real.kind !== 'closed') return null;
  if (real.stage === 'ehlo') return withHelo(sessionOptions);
  // Offers PIPELINING and hangs up on it.
  if (report.pipelined) return { ...sessionOptions, pipelining: false };
  return null;
}

function withHelo(sessionOptions: SessionOptions): SessionOptions | null {
  return sessionOptions.verb === 'EHLO' ? { ...sessionOptions, verb: 'HELO' } : null;
}

function says(word: RegExp, lines: readonly string[]): boolean {
  const text = withoutNamesIf(word, lines);
  return text !== null && word.test(text);
}
