import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ENTRY, type BatchEntry } from '../verify/verify-batch.response.js';
import { JOB_STATUSES, MAX_ENTRIES, type JobStatus } from './job.js';

@ApiSchema({ description: 'How far it is.' })
class JobProgress {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Addresses.' })
  readonly total!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Those whose outcome is final.' })
  readonly done!: number;
}

/**
 * The contract's job object without its results, and with `progress`. A `processing` job has no `results` at all,
 * because clients take any list, even an empty one, for the results (decisions 1.1).
 */
@ApiSchema({ name: 'JobSummary', description: 'A job without its results.' })
export class JobHead {
  @ApiProperty({ format: 'uuid', description: 'UUID.' })
  readonly id!: string;

  @ApiProperty({ enum: JOB_STATUSES, enumName: 'JobStatus', description: 'Whether the results are there.' })
  readonly status!: JobStatus;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_ENTRIES, description: 'Addresses submitted.' })
  readonly total!: number;

  @ApiProperty({
    format: 'date-time',
    description: 'When it was submitted. UTC, ISO 8601 with milliseconds.',
  })
  readonly created_at!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Seven days later: then it is gone. UTC, ISO 8601 with milliseconds.',
  })
  readonly expires_at!: string;

  @ApiProperty()
  readonly progress!: JobProgress;
}

@ApiSchema({ name: 'Job', description: 'A job. `results` is left out until it is completed.' })
export class JobResponse extends JobHead {
  @ApiProperty({
    type: 'array',
    items: ENTRY,
    maxItems: MAX_ENTRIES,
    required: false,
    description: 'An entry for each address, in the order sent. Left out while `status` is `processing`.',
  })
  readonly results?: readonly BatchEntry[];
}

@ApiSchema({ description: 'A page of jobs.' })
export class JobList {
  @ApiProperty({ type: JobHead, isArray: true, maxItems: 100, description: 'Newest first.' })
  readonly jobs!: readonly JobHead[];

  /** Cursor of the next page; null: this is the last. */
  @ApiProperty({ type: 'string', nullable: true, description: '`cursor` of the next page; null: this is the last.' })
  readonly next_cursor!: string | null;
}
