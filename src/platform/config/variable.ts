import { z } from 'zod';

/**
 * A rule for the text of one variable. `parse` returns null for a text that breaks it, or throws a `RangeError` that says
 * the broken rule better. Neither text holds the value, which may be a mistyped secret.
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

/** Must be set; an empty text counts as unset. */
export function required<T extends z.ZodType>(schema: T) {
  return z.preprocess((text) => (text === '' ? undefined : text), schema).meta({ default: null });
}

/** Falls back to `byDefault`, which is written and parsed as if it had been set; an empty text counts as unset. */
export function optional<T extends z.ZodType>(schema: T, byDefault: string) {
  return z.preprocess((text) => text || byDefault, schema).meta({ default: byDefault });
}

/** Null when unset. `byDefault` says in the documentation what happens then. */
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

/** Explicit words only: anything else would be read one way by us and another way by whoever set it. */
export function truth() {
  return rule('must be true or false', (text) => (text === 'true' ? true : text === 'false' ? false : null));
}

/** A comma list with each entry parsed; an empty entry breaks the rule. */
export function list<T>(message: string, parseEntry: (text: string) => T | null) {
  return rule(message, (text) => {
    const entries = text.split(',').map((entry) => parseEntry(entry.trim()));
    return entries.includes(null) ? null : (entries as T[]);
  });
}
