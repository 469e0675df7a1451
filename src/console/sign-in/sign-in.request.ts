import { ApiProperty } from '@nestjs/swagger';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { IsPassword } from './password-field.js';
import { IsText } from '../../platform/validation/field-rules.js';

@ApiRequestBody({ name: 'SignInRequest', description: 'Email and password.' })
export class SignInRequest {
  @IsText(254)
  @ApiProperty({ description: 'In any case.' })
  email!: string;

  @IsPassword()
  @ApiProperty({ description: 'The password.' })
  password!: string;
}

@ApiRequestBody({ name: 'CodeRequest', description: 'The second step of a sign-in.' })
export class CodeRequest {
  @IsText(40)
  @ApiProperty({ description: 'Six digits of the app, or a recovery code.' })
  code!: string;
}
