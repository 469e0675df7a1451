import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsList } from '../platform/validation/field-rules.js';
import { MAX_EMAIL_LENGTH } from './max-email-length.js';

/** Texts to verify. One that is no address is an error of that entry alone (decisions 1.5). */
export const IsEntries = (most: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      items: { type: 'string', maxLength: MAX_EMAIL_LENGTH },
      description: 'An entry that is no address is an error of that entry alone.',
    }),
    IsList(most),
  );
