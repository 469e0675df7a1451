import type { Answer } from './answer.js';
import { withoutNames, withoutNamesIf } from './classify/without-names.js';

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

/** Part of every demand. */
const TLS_WORD = /tls|ssl|encrypt|secure/i;

/**
 * True if the answer is a refusal of MAIL or RCPT that demands STARTTLS (RFC 3207 section 4: `530 Must issue a STARTTLS command first`). A
 * bare 530 counts unless it is about authentication. Only the reason to try STARTTLS: the classifier judges the reply.
 */
export function demandsStartTls(answer: Answer): boolean {
  if (answer.kind !== 'reply' || (answer.stage !== 'mail' && answer.stage !== 'rcpt')) return false;
  const { code, lines } = answer.reply;
  if (code < 400) return false;
  const text = withoutNamesIf(TLS_WORD, lines);
  if (text !== null && DEMANDS.some((demand) => isMade(demand, text))) return true;
  return code === 530 && !/auth|log ?in|password|credential/i.test(withoutNames(lines));
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
