import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { MODES, type Mode } from '../../engine/verdict/result.js';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { MAX_EMAIL_LENGTH } from '../../verify/max-email-length.js';
import { IsText } from '../../platform/validation/field-rules.js';

@ApiRequestBody({ name: 'Verify', description: 'An address to verify.' })
export class VerifyRequest {
  @IsText(MAX_EMAIL_LENGTH)
  @ApiProperty({ description: 'The address.' })
  email!: string;

  @IsOptional()
  @IsIn(MODES)
  @ApiProperty({ default: 'standard', description: 'How deep the check goes.' })
  mode: Mode = 'standard';
}
