import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { JOB_MODES, MAX_ENTRIES, type JobMode } from '../../jobs/job.js';
import { ApiRequestBody, ApiRequestQuery } from '../../platform/openapi/request-schema.js';
import { IsEntries } from '../../verify/entries.request.js';
import { IsDisplayName } from '../../auth/is-display-name.js';
import { IsText, IsWhole } from '../../platform/validation/field-rules.js';

const MAX_PARTS = 200;
const MAX_FILE_NAME = 255;

@ApiRequestBody({ name: 'CreateList', description: 'A list whose parts will be submitted.' })
export class CreateListRequest {
  @IsDisplayName()
  @ApiProperty({ description: 'What people call it.' })
  name!: string;

  @IsOptional()
  @IsIn(JOB_MODES)
  @ApiProperty({ default: 'standard', description: 'How deep the checks go.' })
  mode: JobMode = 'standard';

  @IsOptional()
  @IsText(MAX_FILE_NAME)
  @ApiProperty({ description: 'Of the file that it comes from.' })
  file_name: string | null = null;

  @IsWhole(1, MAX_PARTS)
  @ApiProperty({ description: 'How many parts will be submitted.' })
  parts!: number;

  @IsWhole(1, MAX_PARTS * MAX_ENTRIES)
  @ApiProperty({ description: 'How many addresses they have together.' })
  total!: number;
}

@ApiRequestBody({ name: 'ListPart', description: 'The addresses of a part.' })
export class ListPartRequest {
  @IsEntries(MAX_ENTRIES)
  emails!: readonly unknown[];
}

@ApiRequestQuery()
export class ListResultsRequest {
  @IsOptional()
  @IsWhole(0, MAX_PARTS * MAX_ENTRIES)
  @ApiProperty({ default: 0, description: 'Position of the first result.' })
  offset: number = 0;

  @IsOptional()
  @IsWhole(1, MAX_ENTRIES)
  @ApiProperty({ default: 1000, description: 'At most so many results.' })
  limit: number = 1000;
}
