import type { ParsedAddress, SyntaxFault } from './address.js';
import { labelFault, parseDomain } from './domain-name.js';
import { parseLocalPart, plainLocalPartLength } from './local-part.js';

/** RFC 5321 4.5.3.1.3 allows 256 octets for a path with its angle brackets. */
const MAX_ADDRESS_OCTETS = 254;

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Parses an address (decisions 6.1): an RFC 5321 Mailbox with RFC 6531, without comments, folding white space, display
 * names and address literals. Only the DNS tells whether the last label exists.
 * Trims and lowercases first, by Unicode rules without a locale, quoted and non-ASCII local parts included. `text`
 * keeps that form for the answer; `localPart` and `domain` are canonical (NFC, minimum quoting, A-labels), so that
 * spellings of one mailbox are equal.
 * Never throws. Linear in the length. Parsing `text` again gives the same result.
 */
export function parseAddress(input: string): ParsedAddress {
  const text = input.trim().toLowerCase();
  return parsePlain(text) ?? parseAny(text);
}

/** Fast path for the common case: an ASCII dot-string at an ASCII domain. Null for anything else. */
function parsePlain(text: string): ParsedAddress | null {
  const at = plainLocalPartLength(text);
  if (at < 0 || text.length > MAX_ADDRESS_OCTETS || labelFault(text, at + 1) !== null) return null;
  const domain = text.slice(at + 1);
  return { ok: true, address: { text, localPart: text.slice(0, at), domain, internationalized: false } };
}

function parseAny(text: string): ParsedAddress {
  if (text === '') return refuse(text, 'empty');
  if (CONTROL.test(text)) return refuse(text, 'control_character');
  const at = lastUnquotedAt(text);
  if (typeof at === 'string') return refuse(text, at);

  const local = parseLocalPart(text.slice(0, at));
  if (!local.ok) return refuse(text, local.fault);
  const domain = parseDomain(text.slice(at + 1));
  if (!domain.ok) return refuse(text, domain.fault);
  const { localPart, internationalized } = local;
  if (Buffer.byteLength(localPart) + 1 + domain.domain.length > MAX_ADDRESS_OCTETS) {
    return refuse(text, 'address_too_long');
  }
  return { ok: true, address: { text, localPart, domain: domain.domain, internationalized } };
}

/** Where the domain begins: after the last `@`, or after the leading quoted-string. */
function lastUnquotedAt(text: string): number | SyntaxFault {
  if (!text.startsWith('"')) {
    const at = text.lastIndexOf('@');
    return at < 0 ? 'no_at_sign' : at;
  }
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') {
      if (i + 1 === text.length) return 'no_at_sign';
      return text[i + 1] === '@' ? i + 1 : 'local_part_quoting';
    }
  }
  return 'local_part_quoting';
}

function refuse(text: string, fault: SyntaxFault): ParsedAddress {
  return { ok: false, text, fault };
}
