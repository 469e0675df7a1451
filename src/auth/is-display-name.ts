import { ValidateBy } from 'class-validator';
import { DISPLAY_NAME_RULE, parseDisplayName } from './display-name.js';

/** A name that people give something; `parseDisplayName` trims it. */
export function IsDisplayName(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isDisplayName',
      validator: { validate: (value) => typeof value === 'string' && parseDisplayName(value) !== null },
    },
    { message: DISPLAY_NAME_RULE },
  );
}
