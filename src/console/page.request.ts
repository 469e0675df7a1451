import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { ApiRequestQuery } from '../platform/openapi/request-schema.js';
import { IsId } from '../platform/validation/is-id.js';
import { IsWhole } from '../platform/validation/field-rules.js';

const MAX_PAGE = 200;

/** Query of what is read page by page, by the ids of its rows. */
@ApiRequestQuery()
export class PageRequest {
  @IsOptional()
  @IsString()
  @IsId({ message: 'it is what next of another page was' })
  @ApiProperty({ format: 'uuid', description: '`next` of the page before.' })
  cursor?: string;

  @IsOptional()
  @IsWhole(1, MAX_PAGE)
  @ApiProperty({ default: 50, description: 'At most so many on a page.' })
  limit: number = 50;
}
