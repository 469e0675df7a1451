import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiRequestQuery } from '../platform/openapi/request-schema.js';
import { MAX_ENTRIES } from './job.js';
import { IsWhole } from '../platform/validation/field-rules.js';

/** Query of `GET /v1/verify/jobs/{id}`: selects a range of its results. */
@ApiRequestQuery()
export class ReadJobRequest {
  @IsOptional()
  @IsWhole(0, MAX_ENTRIES)
  @ApiProperty({ default: 0, description: 'Position of the first result.' })
  offset: number = 0;

  @IsOptional()
  @IsWhole(1, MAX_ENTRIES)
  @ApiProperty({ default: MAX_ENTRIES, description: 'At most so many results.' })
  limit: number = MAX_ENTRIES;
}
