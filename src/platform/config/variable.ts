import { z } from 'zod';

/**
 * A rule for one variable's text. `parse` returns null for invalid text, or throws a `RangeError` with a better
 * message. No message contains the value, which may be a mistyped secret.
 */
export function rule<T>(message: string, parse: (text: string) => T | null) {
  return z.string({ error: message }).transform((text, context): T => {
    try {
      const value = parse(text);
      if (value !== null) return value;
      context.addIssue({ code: 'custom', message });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
    return z.NEVER;
  });
}

/** Required; empty text counts as unset. */
export function required<T extends z.ZodType>(schema: T) {
  return z.preprocess((text) => (text === '' ? undefined : text), schema).meta({ default: null });
}

/** Falls back to `byDefault`, which is parsed as if it had been set; empty text counts as unset. */
export function optional<T extends z.ZodType>(schema: T, byDefault: string) {
  return z.preprocess((text) => text || byDefault, schema).meta({ default: byDefault });
}

/** Null when unset. `byDefault` is the documentation of that case. */
export function nullable<T extends z.ZodType>(schema: T, byDefault: string) {
  return z.preprocess((text) => text || null, schema.nullable()).meta({ default: byDefault });
}

/** Decimal digits only: neither `1e3`, nor `0x10`, nor ` 5`. */
export function wholeNumber(from: number, to: number) {
  return rule(`must be a whole number from ${from} to ${to}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to ? value : null;
  });
}

/** Accepts explicit words only, so that no text is ambiguous. */
export function truth() {
  return rule('must be true or false', (text) => (text === 'true' ? true : text === 'false' ? false : null));
}

/** A comma list; each entry is parsed, and an empty entry is invalid. */
export function list<T>(message: string, parseEntry: (text: string) => T | null) {
  return rule(message, (text) => {
    const entries = text.split(',').map((entry) => parseEntry(entry.trim()));
    return entries.includes(null) ? null : (entries as T[]);
  });
}
