import { isIP } from 'node:net';
import { isHeloName } from '../egress/parse-smtp-egress.js';

/**
 * Parses one variable's text.
 * @throws RangeError that names the rule; never the text, which may be a mistyped secret
 */
export type Rule<T> = (text: string) => T;

/** `parse` returns null for invalid text, or throws a `RangeError` with a better message. */
export function rule<T>(message: string, parse: (text: string) => T | null): Rule<T> {
  return (text) => {
    const value = parse(text);
    if (value === null) throw new RangeError(message);
    return value;
  };
}

export const anyText: Rule<string> = (text) => text;

/** Decimal digits only: neither `1e3`, nor `0x10`, nor ` 5`. */
export function wholeNumber(from: number, to: number): Rule<number> {
  return rule(`must be a whole number from ${from} to ${to}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to ? value : null;
  });
}

export const milliseconds = (from: number): Rule<number> => wholeNumber(from, 600_000);
/** A port to listen on; 0: any free one. */
export const listenPort = wholeNumber(0, 65_535);
export const remotePort = wholeNumber(1, 65_535);

/** Explicit words only, so that no text is ambiguous. */
export const truth = rule('must be true or false', (text) =>
  text === 'true' ? true : text === 'false' ? false : null,
);

export function oneOf<T extends string>(words: readonly T[]): Rule<T> {
  return rule(`must be one of ${words.join(', ')}`, (text) => words.find((word) => word === text) ?? null);
}

export function matching(message: string, pattern: RegExp): Rule<string> {
  return rule(message, (text) => (pattern.test(text) ? text : null));
}

export function printable(maxLength: number): Rule<string> {
  return rule(`must be 1 to ${maxLength} printable characters`, (text) =>
    text.length <= maxLength && /^[ -~]+$/.test(text) ? text : null,
  );
}

/** A comma list; each entry is parsed, and an empty entry is invalid. */
function list<T>(message: string, parseEntry: (text: string) => T | null): Rule<readonly T[]> {
  return rule(message, (text) => {
    const entries = text.split(',').map((entry) => parseEntry(entry.trim()));
    return entries.includes(null) ? null : (entries as T[]);
  });
}

/** A comma list of some of `names`, returned in their order and without duplicates. */
export function someOf<T extends string>(names: readonly T[]): Rule<readonly T[]> {
  return rule(`must be a comma list of ${names.join(', ')}`, (text) => {
    const named = new Set<string>(text.split(',').map((name) => name.trim()));
    const known = names.filter((name) => named.has(name));
    return known.length === named.size ? known : null;
  });
}

export const hostOrAddress = rule('must be an IP address or a host name', (text) =>
  isIP(text) !== 0 || isHostName(text) ? text : null,
);

export const heloName = rule('must be a host name with a dot', (text) => {
  const name = withoutFinalDot(text.toLowerCase());
  return isHeloName(name) ? name : null;
});

export const domains = rule('must be none or a comma list of domains', (text): readonly string[] | null => {
  if (text === 'none') return [];
  const names = text.split(',').map((name) => withoutFinalDot(name.trim().toLowerCase()));
  return names.every((name) => isHeloName(name)) ? names : null;
});

export const networks = list('must be a comma list of IP addresses and networks (10.0.0.0/8)', (text) => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return null;
  if (bits === undefined) return text;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) ? text : null;
});

/** Strict, since the text goes into an SMTP command: no quoting, no brackets, no white space. */
export const envelopeSender = rule('must be an email address', (written) => {
  const text = withoutFinalDot(written);
  const at = Math.max(text.lastIndexOf('@'), 0);
  return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/.test(text.slice(0, at)) && isHostName(text.slice(at + 1)) ? text : null;
});

function isHostName(text: string): boolean {
  return (
    text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
  );
}

/** Strips the final dot of a DNS name: `example.com.` is `example.com`. */
function withoutFinalDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
