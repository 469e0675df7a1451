import type { TraceEvent } from '../../../engine/trace.js';

/** One step of a dialogue: only its verb and code. */
export type SmtpStep = { readonly verb: string } | { readonly code: number };

const VERBS = new Set(['EHLO', 'HELO', 'STARTTLS', 'MAIL', 'RCPT', 'RSET', 'NOOP', 'DATA', 'QUIT']);
/** The last line of a reply (RFC 5321 4.2). */
const LAST_LINE = /^([2-5]\d\d)(?: |$)/;

/** Returns null for anything else: a reply's lines before the last, notes, and lines that are no SMTP. */
export function smtpStep(event: TraceEvent): SmtpStep | null {
  if (event.kind !== 'smtp') return null;
  if (event.direction === 'sent') {
    const verb = event.line.split(' ', 1)[0] ?? '';
    return VERBS.has(verb) ? { verb } : null;
  }
  const code = LAST_LINE.exec(event.line)?.[1];
  return code === undefined ? null : { code: Number(code) };
}
