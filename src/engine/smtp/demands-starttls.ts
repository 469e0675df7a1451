import type { Reply } from './reply.js';

/** Each says that TLS comes first; tried in order on the joined text. */
const DEMANDS: readonly RegExp[] = [
  /\bstarttls\b.{0,40}\b(?:first|require[ds]?|needed|mandatory)\b/i,
  /\b(?:must|require[ds]?|need(?:ed|s)?|only|use|issue)\b.{0,60}\b(?:starttls|tls|ssl|encrypt\w*)\b/i,
  /\b(?:tls|ssl|encryption|encrypted connection|secure connection)\b.{0,40}\b(?:required|needed|mandatory|only)\b/i,
];

/**
 * True when a refusal of MAIL or RCPT asks for STARTTLS (RFC 3207 section 4: `530 Must issue a STARTTLS command first`).
 * A bare 530 counts unless it speaks of authentication. Only the reason to try STARTTLS: what the reply means for the
 * address is the classifier's business.
 */
export function demandsStartTls(reply: Reply): boolean {
  if (reply.code < 400) return false;
  const text = reply.lines.join(' ');
  if (DEMANDS.some((demand) => demand.test(text))) return true;
  return reply.code === 530 && !/auth|log ?in|password|credential/i.test(text);
}
