import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsDisplayName } from '../auth/is-display-name.js';
import { ApiRequestBody } from '../platform/openapi/request-schema.js';
import { IsEntries } from '../verify/entries.request.js';
import { JOB_MODES, MAX_ENTRIES, type JobMode } from './job.js';

/** Octets of the body (decisions 1.5). */
export const SUBMIT_BODY_LIMIT = 8 * 1024 * 1024;
/** Values and names in the body: ten per entry. */
export const SUBMIT_BODY_VALUES = 10 * MAX_ENTRIES;

/** Body of `POST /v1/verify/jobs`. An invalid address is an error of its own entry only (decisions 1.5). */
@ApiRequestBody({ description: 'Addresses.' })
export class SubmitJobRequest {
  @IsEntries(MAX_ENTRIES)
  emails!: readonly unknown[];

  @IsOptional()
  @IsIn(JOB_MODES)
  @ApiProperty({ description: '`standard` (null means it) or `enhanced`, for all of them.' })
  mode: JobMode = 'standard';

  @IsOptional()
  @IsDisplayName()
  @ApiProperty({ description: 'What you call the job: 1 to 100 printable characters. The list of jobs shows it.' })
  name: string | null = null;

  @IsOptional()
  @IsBoolean()
  @ApiProperty({ description: 'False: no event `job.completed` is sent. Null means true.' })
  webhook: boolean = true;
}
