import { toASCII, toUnicode } from 'tr46';
import type { SyntaxFault } from './address.js';
import { hasHiddenCharacter } from './hidden-character.js';

const MAX_DOMAIN_OCTETS = 253;
const MAX_LABEL_OCTETS = 63;
/** Longest input given to UTS 46, whose encoding is quadratic. No longer text shrinks to 253 octets. */
const MAX_UNICODE_LENGTH = 1024;

/**
 * UTS 46, non-transitional. `parseDomain` checks hyphens, `labelFault` lengths: UTS 46 would also refuse `--` in the third and
 * fourth place, which some registered names have (decisions 6.1 forbids hyphens only at the ends).
 */
const IDNA = { checkBidi: true, checkJoiners: true, useSTD3ASCIIRules: true, transitionalProcessing: false };

const DOT = 0x2e;
const HYPHEN = 0x2d;

export type ParsedDomain =
  | { readonly ok: true; readonly domain: string }
  | { readonly ok: false; readonly fault: SyntaxFault };

/**
 * Converts a lowercase domain of U- or A-labels to A-labels. Never throws. ASCII labels stay unchanged: an `xn--` label
 * that UTS 46 would not produce may still be a host, which only the DNS can tell.
 */
export function parseDomain(text: string): ParsedDomain {
  if (text === '') return { ok: false, fault: 'domain_empty' };
  if (text.startsWith('[')) return { ok: false, fault: 'domain_literal' };

  let domain = text;
  // oxlint-disable-next-line no-control-regex
  if (/[^\u0000-\u007f]/.test(text)) {
    if (text.length > MAX_UNICODE_LENGTH) return { ok: false, fault: 'domain_too_long' };
    const ascii = hasHiddenCharacter(text) ? null : toASCII(text, IDNA);
    if (ascii === null || toUnicode(ascii, IDNA).domain.split('.').some(hasHyphenAtEnd)) {
      return { ok: false, fault: 'domain_label' };
    }
    domain = ascii;
  }
  const fault = labelFault(domain, 0);
  return fault === null ? { ok: true, domain } : { ok: false, fault };
}

/**
 * Returns the rule that the lowercase name from `start` to the end of `text` breaks, or null: at least two labels of
 * 1-63 letters, digits and hyphens, no hyphen at either end, the last label not all digits, 253 octets in total.
 */
export function labelFault(text: string, start: number): SyntaxFault | null {
  if (text.length - start > MAX_DOMAIN_OCTETS) return 'domain_too_long';
  let labelStart = start;
  let labels = 1;
  let digitsOnly = true;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (isBadLabel(text, labelStart, i)) return 'domain_label';
      labelStart = i + 1;
      labels++;
      digitsOnly = true;
    } else if (code >= 0x61 && code <= 0x7a) {
      digitsOnly = false;
    } else if (code === HYPHEN) {
      digitsOnly = false;
    } else if (code < 0x30 || code > 0x39) {
      return 'domain_label';
    }
  }
  if (isBadLabel(text, labelStart, text.length)) return 'domain_label';
  if (labels < 2) return 'domain_single_label';
  return digitsOnly ? 'domain_numeric' : null;
}

/** RFC 5891 4.2.3.1, for U-labels too: `-é` is `xn----9ga`, which has none at its ends. */
function hasHyphenAtEnd(label: string): boolean {
  return label.startsWith('-') || label.endsWith('-');
}

function isBadLabel(text: string, start: number, end: number): boolean {
  return (
    end === start ||
    end - start > MAX_LABEL_OCTETS ||
    text.charCodeAt(start) === HYPHEN ||
    text.charCodeAt(end - 1) === HYPHEN
  );
}
