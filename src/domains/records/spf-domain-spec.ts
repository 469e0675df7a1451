/**
 * The grammar of domain-spec and macro-string (RFC 7208 7.1, 12). A hand-written single-pass parser: records are
 * hostile input, and a pattern with nested repetitions can take exponential time.
 */

/**
 * `%{` letter, number of parts from the right (not 0), `r` to reverse them, delimiters, `}`. Only letters valid in
 * names: `c`, `r` and `t` are limited to explanation texts (RFC 7208 7.2).
 */
const MACRO_BODY = /^\{[slodipvh](?:0*[1-9]\d*)?r?[.\-+,/_=]*\}/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const LETTER_OR_HYPHEN = /[a-z-]/i;

/** True for a macro-string: visible ASCII, `%` only at the start of a macro. The empty string is valid. */
export function isMacroString(text: string): boolean {
  return endOfMacros(text) !== null;
}

/** True for a domain-spec: a macro-string that ends in a macro, or in a dot and a top label with a letter or hyphen. */
export function isDomainSpec(text: string): boolean {
  const endsInMacro = endOfMacros(text);
  if (endsInMacro === null || text === '') return false;
  if (endsInMacro === text.length) return true;
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const dot = name.lastIndexOf('.');
  // A dot before `endsInMacro` may belong to a macro's delimiters.
  return dot >= endsInMacro && isTopLabel(name.slice(dot + 1));
}

function isTopLabel(label: string): boolean {
  return LABEL.test(label) && LETTER_OR_HYPHEN.test(label);
}

/** The offset after the last macro, 0 if there is none; null if the text is no macro-string. */
function endOfMacros(text: string): number | null {
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x21 || code > 0x7e) return null;
    if (text[at] !== '%') continue;
    const length = macroLength(text.slice(at + 1));
    if (length === 0) return null;
    at += length;
    end = at + 1;
  }
  return end;
}

/** Length of the macro after a `%`; 0 if there is none. */
function macroLength(behind: string): number {
  if (behind[0] === '%' || behind[0] === '_' || behind[0] === '-') return 1;
  return MACRO_BODY.exec(behind)?.[0].length ?? 0;
}
