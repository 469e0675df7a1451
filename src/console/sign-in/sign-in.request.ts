import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { MaxCharacters } from '../../platform/validation/max-characters.js';
import { IsPassword } from './password-field.js';

@ApiRequestBody({ name: 'SignInRequest', description: 'Email and password.' })
export class SignInRequest {
  @IsString()
  @MaxCharacters(254)
  @ApiProperty({ description: 'In any case.' })
  email!: string;

  @IsPassword()
  @ApiProperty({ description: 'The password.' })
  password!: string;
}

@ApiRequestBody({ name: 'CodeRequest', description: 'The second step of a sign-in.' })
export class CodeRequest {
  @IsString()
  @MaxCharacters(40)
  @ApiProperty({ description: 'Six digits of the app, or a recovery code.' })
  code!: string;
}
