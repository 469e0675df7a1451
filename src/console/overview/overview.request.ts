import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional } from 'class-validator';
import { ApiRequestQuery } from '../../platform/openapi/request-schema.js';

const SPANS = [7, 30, 90] as const;

/** Query of the overview. */
@ApiRequestQuery()
export class OverviewRequest {
  @IsOptional()
  @IsIn(SPANS)
  @IsInt()
  @ApiProperty({ default: 30, description: 'Days, today included.' })
  days: (typeof SPANS)[number] = 30;
}
