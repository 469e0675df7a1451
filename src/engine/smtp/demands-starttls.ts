import { withoutNames } from './classify/without-names.js';
import type { Reply } from './reply.js';

/** Two words that demand TLS if the second follows within some characters. */
interface Demand {
  readonly first: RegExp;
  readonly second: RegExp;
  readonly within: number;
}

const DEMANDS: readonly Demand[] = [
  { first: /\bstarttls\b/gi, second: /\b(?:first|require[ds]?|needed|mandatory)\b/gi, within: 40 },
  {
    first: /\b(?:must|require[ds]?|need(?:ed|s)?|only|use|issue)\b/gi,
    second: /\b(?:(?:starttls|tls|ssl)\b|encrypt)/gi,
    within: 60,
  },
  {
    first: /\b(?:tls|ssl|encryption|encrypted connection|secure connection)\b/gi,
    second: /\b(?:required|needed|mandatory|only)\b/gi,
    within: 40,
  },
];

/** Part of every demand. Few refusals have it, and only those are read closely. */
const TLS_WORD = /tls|ssl|encrypt|secure/i;

/**
 * True if a refusal of MAIL or RCPT demands STARTTLS (RFC 3207 section 4: `530 Must issue a STARTTLS command first`). A
 * bare 530 counts unless it is about authentication. Only the reason to try STARTTLS: the classifier judges the reply.
 */
export function demandsStartTls(reply: Reply): boolean {
  if (reply.code < 400) return false;
  const speaksOfTls = reply.lines.some((line) => TLS_WORD.test(line));
  if (!speaksOfTls && reply.code !== 530) return false;
  const text = withoutNames(reply.lines);
  if (speaksOfTls && DEMANDS.some((demand) => isMade(demand, text))) return true;
  return reply.code === 530 && !/auth|log ?in|password|credential/i.test(text);
}

/** One pass over the positions of both words: one regular expression for the pair would be quadratic. */
function isMade({ first, second, within }: Demand, text: string): boolean {
  const ends = [...text.matchAll(first)].map(({ 0: word, index }) => index + word.length);
  let next = 0;
  return [...text.matchAll(second)].some(({ index }) => {
    while (next < ends.length && ends[next]! <= index) next++;
    return next > 0 && index - ends[next - 1]! <= within;
  });
}
