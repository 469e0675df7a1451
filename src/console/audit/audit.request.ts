import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ApiRequestQuery } from '../../platform/openapi/request-schema.js';
import { IsId } from '../../platform/validation/is-id.js';

const MAX_PAGE = 200;

@ApiRequestQuery()
export class ListAuditRequest {
  @IsOptional()
  @IsId()
  @ApiProperty({ description: '`next` of the page before.' })
  cursor?: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  @ApiProperty({ default: 50, description: 'At most so many entries.' })
  limit: number = 50;
}
