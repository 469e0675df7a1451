import { ValidateBy } from 'class-validator';

export const MIN_CHARACTERS = 'minCharacters';

/** A text has at least so many characters (code points). */
export function MinCharacters(limit: number): PropertyDecorator {
  return ValidateBy({
    name: MIN_CHARACTERS,
    constraints: [limit],
    validator: { validate: (value) => typeof value === 'string' && Array.from(value).length >= limit },
  });
}
