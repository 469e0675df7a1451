import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ApiRequestQuery } from '../platform/openapi/request-schema.js';
import { MAX_ENTRIES } from './job.js';

/** Query of `GET /v1/verify/jobs/{id}`: selects a range of its results. */
@ApiRequestQuery()
export class ReadJobRequest {
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_ENTRIES)
  @ApiProperty({ default: 0, description: 'Position of the first result.' })
  offset: number = 0;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_ENTRIES)
  @ApiProperty({ default: MAX_ENTRIES, description: 'At most so many results.' })
  limit: number = MAX_ENTRIES;
}
