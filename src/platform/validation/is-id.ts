import { ValidateBy, type ValidationOptions } from 'class-validator';
import { isId } from '../ids/uuid.js';

/** One of our ids, in upper or lower case. */
export function IsId(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    { name: 'isId', validator: { validate: (value) => typeof value === 'string' && isId(value.toLowerCase()) } },
    options,
  );
}
