import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { ApiRequestBody } from '../platform/openapi/request-schema.js';
import { MODES, type Mode } from '../engine/verdict/result.js';
import { MAX_EMAIL_LENGTH } from './max-email-length.js';
import { IsText, IsWhole } from '../platform/validation/field-rules.js';

/** One year: no result lives longer. */
export const MAX_AGE_SECONDS = 31_536_000;

/** Body of `POST /v1/verify/single`. Unknown fields are ignored; null equals leaving a field out (decisions 1.3). */
@ApiRequestBody({ description: 'One address.' })
export class VerifySingleRequest {
  @IsText(MAX_EMAIL_LENGTH)
  @ApiProperty({ description: 'Any text; what is no address is `bad_syntax`.' })
  email!: string;

  @IsOptional()
  @IsIn(MODES)
  @ApiProperty({
    description:
      '`quick`: syntax and DNS; `standard` (null means it): asks the mail host; `enhanced`: detects catch-all.',
  })
  mode: Mode = 'standard';

  @IsOptional()
  @IsBoolean()
  @ApiProperty({
    description: 'true: answer at once; what needs a mail host is `verification_pending`. Ignored in quick mode.',
  })
  async: boolean = false;

  @IsOptional()
  @IsWhole(0, MAX_AGE_SECONDS)
  @ApiProperty({ description: 'Seconds: only a younger check answers from the cache; 0: check again.' })
  max_age: number | null = null;
}
