import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { MaxCharacters } from '../../platform/validation/max-characters.js';
import { IsNewPassword } from '../sign-in/password-field.js';

@ApiRequestBody({ name: 'ReadLinkRequest', description: 'The token of a one-time link.' })
export class ReadLinkRequest {
  @IsString()
  @MaxCharacters(64)
  @ApiProperty({ description: 'What stands behind `#token=`.' })
  token!: string;
}

@ApiRequestBody({ name: 'WelcomeRequest', description: 'The password chosen on a one-time link.' })
export class WelcomeRequest {
  @IsString()
  @MaxCharacters(64)
  @ApiProperty({ description: 'What stands behind `#token=`.' })
  token!: string;

  @IsNewPassword()
  @ApiProperty({ description: 'The new password.' })
  password!: string;

  @IsOptional()
  @IsString()
  @MaxCharacters(100)
  @ApiProperty({ description: 'What people call the user.' })
  name?: string;
}
