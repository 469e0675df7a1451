import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsOptional, IsString, Matches } from 'class-validator';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { MaxCharacters } from '../../platform/validation/max-characters.js';
import { HoldsNoAddress, HoldsNoAtSign, IsUnicode } from './guard-event-rules.js';
import { IsText } from '../../platform/validation/field-rules.js';

export const MAX_DOMAIN = 253;
const MAX_LABEL = 64;
const MAX_REASONS = 20;
const TOKEN = /^[A-Za-z0-9_.:-]{1,64}$/;
const IN_WORDS = { message: 'it is 1 to 64 of A-Z, a-z, 0-9, _, ., : and -' };

/** One event of a report. Unknown fields are ignored; null counts as missing. */
@ApiRequestBody({
  name: 'GuardEvent',
  description: 'A decision of a guard. Unknown fields are ignored; null equals leaving a field out.',
})
export class GuardEventRequest {
  // First: a sender must learn of an address, whatever else is wrong with the event.
  @IsOptional()
  @IsText(MAX_DOMAIN)
  @IsUnicode()
  @HoldsNoAtSign()
  @ApiProperty({ description: 'A domain, never an address: an event with an at sign here is rejected.' })
  domain: string | null = null;

  @IsString()
  @Matches(TOKEN, IN_WORDS)
  @ApiProperty({ description: 'What the guard found. The values of `result` are reported by name.' })
  verdict!: string;

  @IsString()
  @Matches(TOKEN, IN_WORDS)
  @ApiProperty({ description: 'What it did: `allow`, `deny` and `review` are reported by name.' })
  action!: string;

  @IsArray()
  @ArrayMaxSize(MAX_REASONS)
  @IsString({ each: true })
  @MaxCharacters(MAX_LABEL, { each: true })
  @IsUnicode({ each: true })
  @HoldsNoAddress({ each: true })
  @ApiProperty({ description: 'Why. Never an address.' })
  reasons!: readonly string[];

  @IsBoolean()
  @ApiProperty({ description: 'It had to decide without what it usually asks.' })
  degraded!: boolean;

  @IsString()
  @Matches(TOKEN, IN_WORDS)
  @ApiProperty({ description: '`local` and `remote` are reported by name.' })
  source!: string;

  @IsOptional()
  @IsText(MAX_LABEL)
  @IsUnicode()
  @ApiProperty({ description: 'Its name.' })
  integration: string | null = null;

  @IsOptional()
  @IsText(MAX_LABEL)
  @IsUnicode()
  @ApiProperty({ description: 'Version of its library.' })
  lib_version: string | null = null;

  @IsOptional()
  @IsText(MAX_LABEL)
  @IsUnicode()
  @ApiProperty({ description: 'Version of the description it follows.' })
  spec_version: string | null = null;

  @IsOptional()
  @IsText(MAX_LABEL)
  @IsUnicode()
  @ApiProperty({ description: 'Key of a property of the account.' })
  property_key: string | null = null;
}
