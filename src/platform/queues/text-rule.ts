import { ValidateBy } from 'class-validator';

/** A property of a payload has to be a text that passes a check of ours. @param what it has to be: `an id` */
export function TextRule(what: string, check: (text: string) => boolean): PropertyDecorator {
  return ValidateBy({
    name: 'textRule',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && check(value),
      defaultMessage: (rule) => `${rule?.property} must be ${what}`,
    },
  });
}
