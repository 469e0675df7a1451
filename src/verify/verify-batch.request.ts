import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ApiRequestBody } from '../platform/openapi/request-schema.js';
import { MODES, type Mode } from '../engine/verdict/result.js';
import { IsEntries } from './entries.request.js';
import { MAX_AGE_SECONDS } from './verify-single.request.js';
import { IsWhole } from '../platform/validation/field-rules.js';

/** Addresses in one batch call (decisions 1.5). */
const MAX_BATCH = 100;

/** Body of `POST /v1/verify/batch`. An entry that is no address is an error of that entry alone (decisions 1.5). */
@ApiRequestBody({ description: 'Addresses.' })
export class VerifyBatchRequest {
  @IsEntries(MAX_BATCH)
  emails!: readonly unknown[];

  @IsOptional()
  @IsIn(MODES)
  @ApiProperty({
    description:
      '`quick`: syntax and DNS; `standard` (null means it): asks the mail host; `enhanced`: detects catch-all.',
  })
  mode: Mode = 'standard';

  @IsOptional()
  @IsWhole(0, MAX_AGE_SECONDS)
  @ApiProperty({ description: 'Seconds: only a younger check answers from the cache; 0: check again.' })
  max_age: number | null = null;
}
