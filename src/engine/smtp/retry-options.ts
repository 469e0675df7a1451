import { withoutNames } from './classify/without-names.js';
import type { DialogueReport, SessionOptions } from './dialogue.js';

/**
 * How to retry a dialogue on a fresh connection (decisions 6.10); null if a retry could not say more. Retries a session
 * that got out of step, never an answer about a mailbox.
 */
export function retryOptions(sessionOptions: SessionOptions, report: DialogueReport): SessionOptions | null {
  if (report.closedOnTlsDemand) return { ...sessionOptions, startTls: true };
  const [real] = report.answers;
  if (real === undefined || report.smtpUtf8Missing) return null;
  if (real.kind === 'reply') {
    const { code, lines } = real.reply;
    // "503 send HELO/EHLO first" although we did: the host lost its state, usually behind a load balancer.
    if (code === 503 && /\b(?:helo|ehlo|hello)\b/i.test(withoutNames(lines))) return sessionOptions;
    // Offers PIPELINING and fails with it: a command that came too early is out of turn.
    if (report.pipelined && (code === 503 || (code > 500 && saysPipelining(lines)))) {
      return { ...sessionOptions, pipelining: false };
    }
    // A host that does not know EHLO and hangs up on it.
    const unknownCommand = real.stage === 'ehlo' && (code === 500 || code === 502);
    return unknownCommand && report.peerClosed ? withHelo(sessionOptions) : null;
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

/** Reads the text without its names only if the word is in it at all: every refusal comes here. */
function saysPipelining(lines: readonly string[]): boolean {
  const word = /pipelin/i;
  return lines.some((line) => word.test(line)) && word.test(withoutNames(lines));
}
