import { ValidateBy, type ValidationOptions } from 'class-validator';

export const MAX_CHARACTERS = 'maxCharacters';

/**
 * A text has at most so many characters (code points), as JSON Schema and database columns count. `MaxLength` counts
 * an emoji and its variation selector as one.
 */
export function MaxCharacters(limit: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: MAX_CHARACTERS,
      constraints: [limit],
      validator: { validate: (value) => typeof value === 'string' && fits(value, limit) },
    },
    options,
  );
}

/** A character has one or two UTF-16 units. */
function fits(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= 2 * limit && Array.from(text).length <= limit);
}
