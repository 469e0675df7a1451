import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiRequestBody, ApiRequestQuery } from '../../platform/openapi/request-schema.js';
import { IsDisplayName } from '../../auth/is-display-name.js';
import { OverviewRequest } from '../overview/overview.request.js';
import { IsText } from '../../platform/validation/field-rules.js';

@ApiRequestQuery()
export class GuardRequest extends OverviewRequest {
  @IsOptional()
  @IsText(64)
  @ApiProperty({ description: 'Site key of one property; all events of the account when left out.' })
  property?: string;
}

@ApiRequestBody({ name: 'CreateProperty', description: 'A site or app whose guards report.' })
export class CreatePropertyRequest {
  @IsDisplayName()
  @ApiProperty({ description: 'What people call it.' })
  name!: string;
}
