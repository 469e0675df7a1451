import { ValidateBy, type ValidationOptions } from 'class-validator';
import { holdsAddress, holdsAtSign } from './holds-address.js';

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
