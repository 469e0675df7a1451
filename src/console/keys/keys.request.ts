import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { KEY_MODES, type KeyMode } from '../../auth/api-key.js';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { IsDisplayName } from '../../auth/is-display-name.js';
import { IsWhole } from '../../platform/validation/field-rules.js';

const MAX_GRACE_SECONDS = 30 * 86_400;

@ApiRequestBody({ name: 'CreateKey', description: 'A key to make.' })
export class CreateKeyRequest {
  @IsDisplayName()
  @ApiProperty({ description: 'What people call it.' })
  name!: string;

  @IsIn(KEY_MODES)
  @ApiProperty({ description: 'A test key gets made-up answers for free.' })
  mode!: KeyMode;
}

@ApiRequestBody({ name: 'RotateKey', description: 'How long the old key works on.' })
export class RotateKeyRequest {
  @IsWhole(0, MAX_GRACE_SECONDS)
  @ApiProperty({ description: '0: it ends at once.' })
  grace_seconds!: number;
}
