/** One line of a reply (RFC 5321 4.2): `code [-| ] [enhanced] text`. */
export interface ReplyLine {
  /** 200-599. */
  readonly code: number;
  /** True if a hyphen follows `code`: more lines come. */
  readonly more: boolean;
  /** RFC 3463 code, or null. */
  readonly enhanced: string | null;
  readonly text: string;
}

const CODE = /^([2-5]\d\d)(?:([ \t-])(.*))?$/s;
/** At the start of the text, also as `#5.1.0` (IronPort) and `5.1.1:`; never the beginning of an IP address. */
const LEADING_ENHANCED = /^#?([245]\.\d{1,3}\.\d{1,3})(?:[:;,]?\s+|[:;,]?$|-(?=\D))/;
/** At the end, as qmail and its descendants write it: `no mailbox here by that name (#5.7.1)`. */
const TRAILING_ENHANCED = /\(#([245]\.\d{1,3}\.\d{1,3})\)\s*$/;

/** Parses one line without its line end, one character per byte. Null if it does not begin with a reply code. */
export function parseReplyLine(line: string): ReplyLine | null {
  const match = CODE.exec(line);
  if (match === null) return null;
  const [, code, separator, rest = ''] = match;
  return { code: Number(code), more: separator === '-', ...splitEnhanced(rest) };
}

function splitEnhanced(text: string): { enhanced: string | null; text: string } {
  const leading = LEADING_ENHANCED.exec(text);
  if (leading !== null) return { enhanced: leading[1] ?? null, text: text.slice(leading[0].length) };
  return { enhanced: TRAILING_ENHANCED.exec(text)?.[1] ?? null, text };
}
