import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { KEY_MODES, type KeyMode } from '../../auth/api-key.js';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { IsDisplayName } from '../../auth/is-display-name.js';

const MAX_GRACE_SECONDS = 30 * 86_400;

@ApiRequestBody({ name: 'CreateKey', description: 'A key to make.' })
export class CreateKeyRequest {
  @IsString()
  @IsDisplayName()
  @ApiProperty({ description: 'What people call it.' })
  name!: string;

  @IsIn(KEY_MODES)
  @ApiProperty({ description: 'A test key gets made-up answers for free.' })
  mode!: KeyMode;
}

@ApiRequestBody({ name: 'RotateKey', description: 'How long the old key works on.' })
export class RotateKeyRequest {
  @IsInt()
  @Min(0)
  @Max(MAX_GRACE_SECONDS)
  @ApiProperty({ description: '0: it ends at once.' })
  grace_seconds!: number;
}
