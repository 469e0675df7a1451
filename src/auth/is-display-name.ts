import { applyDecorators } from '@nestjs/common';
import { IsString, ValidateBy } from 'class-validator';
import { DISPLAY_NAME_RULE, parseDisplayName } from './display-name.js';

/** A name that people give something; `parseDisplayName` trims it. */
export function IsDisplayName(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && parseDisplayName(value) !== null;
  const rule = ValidateBy({ name: 'isDisplayName', validator: { validate } }, { message: DISPLAY_NAME_RULE });
  return applyDecorators(rule, IsString());
}
