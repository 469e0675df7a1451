import { applyDecorators } from '@nestjs/common';
import { IsString } from 'class-validator';
import { MaxCharacters } from '../../platform/validation/max-characters.js';
import { MinCharacters } from '../../platform/validation/min-characters.js';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 200;

/** A password that is chosen. */
export const IsNewPassword = (): PropertyDecorator =>
  applyDecorators(IsString(), MinCharacters(MIN_PASSWORD), MaxCharacters(MAX_PASSWORD));

/** A password that is given: rules for new ones may change. */
export const IsPassword = (): PropertyDecorator => applyDecorators(IsString(), MaxCharacters(MAX_PASSWORD));
