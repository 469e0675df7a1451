import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { ApiRequestQuery } from '../platform/openapi/request-schema.js';
import { IsId } from '../platform/validation/is-id.js';
import { IsWhole } from '../platform/validation/field-rules.js';

const MAX_LIST = 100;
const DEFAULT_LIST = 20;

/** Query of `GET /v1/verify/jobs`. */
@ApiRequestQuery()
export class ListJobsRequest {
  /** Id of the last job of the previous page. */
  @IsOptional()
  @IsString()
  @IsId({ message: 'it is what next_cursor of another page was' })
  @ApiProperty({ format: 'uuid', description: '`next_cursor` of the page before.' })
  cursor?: string;

  @IsOptional()
  @IsWhole(1, MAX_LIST)
  @ApiProperty({ default: DEFAULT_LIST, description: 'Jobs on a page.' })
  limit: number = DEFAULT_LIST;
}
