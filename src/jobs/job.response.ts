import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ENTRY, type BatchEntry } from '../verify/verify-batch.response.js';
import { JOB_STATUSES, MAX_ENTRIES, type JobStatus, type VerdictCounts } from './job.js';
import { COUNT } from '../platform/openapi/field-schemas.js';

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

@ApiSchema({ name: 'VerdictCounts', description: 'Entries of a job by verdict.' })
class VerdictCountsResponse implements VerdictCounts {
  @ApiProperty(COUNT)
  readonly valid!: number;

  @ApiProperty(COUNT)
  readonly invalid!: number;

  @ApiProperty(COUNT)
  readonly catch_all!: number;

  @ApiProperty(COUNT)
  readonly disposable!: number;

  @ApiProperty(COUNT)
  readonly role!: number;

  @ApiProperty(COUNT)
  readonly unknown!: number;

  @ApiProperty({ ...COUNT, description: 'Entries with an error instead of a verdict.' })
  readonly error!: number;
}

@ApiSchema({ description: 'A job in a list of jobs: without its results.' })
export class JobSummary extends JobHead {
  @ApiProperty({ type: 'string', nullable: true, description: 'The `name` of the submit.' })
  readonly name!: string | null;

  @ApiProperty({
    type: VerdictCountsResponse,
    nullable: true,
    description: 'Null while it is under way, and for a job that was completed before jobs had counts.',
  })
  readonly counts!: VerdictCounts | null;
}

@ApiSchema({ description: 'A page of jobs.' })
export class JobList {
  @ApiProperty({ type: JobSummary, isArray: true, maxItems: 100, description: 'Newest first.' })
  readonly jobs!: readonly JobSummary[];

  /** Cursor of the next page; null: this is the last. */
  @ApiProperty({ type: 'string', nullable: true, description: '`cursor` of the next page; null: this is the last.' })
  readonly next_cursor!: string | null;
}
