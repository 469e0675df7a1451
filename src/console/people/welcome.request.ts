import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { IsNewPassword } from '../sign-in/password-field.js';
import { IsText } from '../../platform/validation/field-rules.js';

@ApiRequestBody({ name: 'ReadLinkRequest', description: 'The token of a one-time link.' })
export class ReadLinkRequest {
  @IsText(64)
  @ApiProperty({ description: 'What stands behind `#token=`.' })
  token!: string;
}

@ApiRequestBody({ name: 'WelcomeRequest', description: 'The password chosen on a one-time link.' })
export class WelcomeRequest extends ReadLinkRequest {
  @IsNewPassword()
  @ApiProperty({ description: 'The new password.' })
  password!: string;

  @IsOptional()
  @IsText(100)
  @ApiProperty({ description: 'What people call the user.' })
  name?: string;
}
