const LABEL = /^[a-z0-9_/-]{1,63}$/i;
/** 255 octets on the wire (RFC 1035 2.3.4) are 253 in text, without the first label's length octet and the root's. */
const MAX_TEXT_LENGTH = 253;

/**
 * The form that is asked and cached: lowercase, no trailing dot; the root is `.`. Null for an empty or overlong label
 * or name, or a label with anything but letters, digits, `-`, `_` and `/` (reverse zones of RFC 2317), because the
 * encoder would send such names broken.
 */
export function normalizeName(name: string): string | null {
  if (name === '.') return name;
  const text = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
  if (text.length === 0 || text.length > MAX_TEXT_LENGTH) return null;
  return text.split('.').every((label) => LABEL.test(label)) ? text : null;
}
