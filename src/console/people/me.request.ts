import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { IsNewPassword, IsPassword } from '../sign-in/password-field.js';
import { IsText } from '../../platform/validation/field-rules.js';

@ApiRequestBody({ name: 'ChangeMeRequest', description: 'What is to change; null equals leaving a field out.' })
export class ChangeMeRequest {
  @IsOptional()
  @IsText(100)
  @ApiProperty({ description: 'What people call the user.' })
  name?: string;
}

@ApiRequestBody({ name: 'ChangePasswordRequest', description: 'The present password and the next one.' })
export class ChangePasswordRequest {
  @IsPassword()
  @ApiProperty({ description: 'The present password.' })
  current_password!: string;

  @IsNewPassword()
  @ApiProperty({ description: 'The new password.' })
  new_password!: string;
}

@ApiRequestBody({ name: 'PasswordRequest', description: 'The password of the signed-in user.' })
export class PasswordRequest {
  @IsPassword()
  @ApiProperty({ description: 'The password.' })
  password!: string;
}

@ApiRequestBody({ name: 'PasswordAndCodeRequest', description: 'Password and authentication code.' })
export class PasswordAndCodeRequest {
  @IsPassword()
  @ApiProperty({ description: 'The password.' })
  password!: string;

  @IsText(40)
  @ApiProperty({ description: 'Six digits of the app, or a recovery code.' })
  code!: string;
}
