import { IsParsed } from '../platform/validation/field-rules.js';
import { DISPLAY_NAME_RULE, parseDisplayName } from './display-name.js';

/** A name that people give something; `parseDisplayName` trims it. */
export const IsDisplayName = (): PropertyDecorator => IsParsed('isDisplayName', parseDisplayName, DISPLAY_NAME_RULE);
