import { ApiProperty } from '@nestjs/swagger';

export class SignInResponse {
  @ApiProperty({
    enum: ['signed_in', 'code_required'],
    description: '`code_required`: send an authentication code within ten minutes.',
  })
  readonly status!: 'signed_in' | 'code_required';
}
