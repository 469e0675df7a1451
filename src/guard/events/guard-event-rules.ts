import { ValidateBy, type ValidationOptions } from 'class-validator';

const ADDRESS = /[^\s@]@[^\s@.]+\.[^\s@]/;

const NO_ADDRESS = 'an address must not be sent';

/** Rejects lone surrogates, which cannot be stored. */
export const IsUnicode = textRule('isUnicode', 'it is no Unicode text', (text) => !/\p{Cs}/u.test(text));

/** A domain contains no at sign. */
export const HoldsNoAtSign = textRule('holdsNoAtSign', NO_ADDRESS, (text) => !holdsAtSign(text));

export const HoldsNoAddress = textRule('holdsNoAddress', NO_ADDRESS, (text) => !holdsAddress(text));

function textRule(name: string, message: string, passes: (text: string) => boolean) {
  return (options?: ValidationOptions): PropertyDecorator =>
    ValidateBy(
      { name, validator: { validate: (value) => typeof value === 'string' && passes(value) } },
      { message, ...options },
    );
}

/** True if the text contains an at sign in any form, which no domain does. */
function holdsAtSign(text: string): boolean {
  return written(text).includes('@');
}

/** True if the text contains an address. `@scope/name` and a lone at sign are none. */
function holdsAddress(text: string): boolean {
  return ADDRESS.test(written(text));
}

/** Replaces percent-encoded (also repeatedly), full-width and small at signs by the plain one. */
function written(text: string): string {
  return text.normalize('NFKC').replace(/%(?:25)*40/g, '@');
}
