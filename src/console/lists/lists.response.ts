import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { RECOMMENDATIONS, type Recommendation } from '../../engine/verdict/result.js';
import type { VerdictCounts } from '../../billing/usage/usage-counts.repository.js';
import { JOB_MODES, type JobMode } from '../../jobs/job.js';
import { EntryError } from '../../verify/verify-batch.response.js';
import { VerifyResult } from '../../verify/verify.response.js';
import { Charged } from '../charged.response.js';
import { VERDICTS } from '../overview/overview.response.js';
import { COUNT, TIME_OR_NULL, countsBy } from '../../platform/openapi/field-schemas.js';

export const LIST_STATUSES = ['uploading', 'processing', 'completed'] as const;
export type ListStatus = (typeof LIST_STATUSES)[number];

@ApiSchema({ name: 'List' })
export class ListResponse {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ type: 'string', nullable: true })
  readonly file_name!: string | null;

  @ApiProperty({ enum: JOB_MODES })
  readonly mode!: JobMode;

  @ApiProperty({ enum: LIST_STATUSES, description: '`uploading` until all parts are submitted.' })
  readonly status!: ListStatus;

  @ApiProperty({ ...COUNT, description: 'Addresses of all parts.' })
  readonly total!: number;

  @ApiProperty({ ...COUNT, description: 'Addresses of the parts that were submitted.' })
  readonly submitted!: number;

  @ApiProperty({ ...COUNT, description: 'Addresses whose outcome is final.' })
  readonly done!: number;

  @ApiProperty(COUNT)
  readonly parts!: number;

  @ApiProperty(COUNT)
  readonly parts_submitted!: number;

  @ApiProperty({ format: 'date-time' })
  readonly created_at!: string;

  @ApiProperty(TIME_OR_NULL)
  readonly completed_at!: string | null;

  @ApiProperty({ format: 'date-time', description: 'Then it is gone.' })
  readonly expires_at!: string;

  @ApiProperty({ type: 'number', minimum: 0, nullable: true, description: 'Addresses a second. Null: not processing.' })
  readonly rate_per_second!: number | null;

  @ApiProperty({ ...COUNT, nullable: true, description: 'Null: nobody knows yet.' })
  readonly seconds_left!: number | null;

  @ApiProperty({ description: 'What the submits took. Refunds are in the ledger.' })
  readonly charged!: Charged;

  @ApiProperty({ type: 'string', nullable: true, description: 'Name of the user who uploaded it.' })
  readonly created_by!: string | null;
}

export class ListPage {
  @ApiProperty({ type: ListResponse, isArray: true, description: 'Newest first.' })
  readonly lists!: readonly ListResponse[];

  @ApiProperty({ type: 'string', nullable: true, description: '`cursor` of the next page; null: this is the last.' })
  readonly next!: string | null;
}

/** A part that is stored and paid for. */
export class SubmittedPart {
  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly part!: number;

  @ApiProperty({ format: 'uuid' })
  readonly job_id!: string;
}

export class SubmittedPartAnswer extends SubmittedPart {
  @ApiProperty({ description: 'Zeros when the part was submitted before.' })
  readonly charged!: Charged;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Credits that are left.' })
  readonly balance!: number;
}

export class ReasonCount {
  @ApiProperty({ description: 'A reason, or the error of entries without a verdict.' })
  readonly reason!: string;

  @ApiProperty(COUNT)
  readonly count!: number;
}

export class ProviderCount {
  @ApiProperty({ description: '`other`: a mail host of none of the known providers.' })
  readonly provider!: string;

  @ApiProperty(COUNT)
  readonly count!: number;
}

export class Grade {
  @ApiProperty({ enum: ['A', 'B', 'C', 'D', 'F'] })
  readonly letter!: string;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  readonly points!: number;

  @ApiProperty({ description: 'How the points come about.' })
  readonly formula!: string;
}

@ApiSchema({ name: 'ListSummary' })
export class ListSummary {
  @ApiProperty(VERDICTS)
  readonly verdicts!: VerdictCounts;

  @ApiProperty({ type: ReasonCount, isArray: true, description: 'Most frequent first.' })
  readonly reasons!: readonly ReasonCount[];

  @ApiProperty({ type: ProviderCount, isArray: true, description: 'Most frequent first.' })
  readonly providers!: readonly ProviderCount[];

  @ApiProperty(countsBy(RECOMMENDATIONS))
  readonly decisions!: Readonly<Record<Recommendation, number>>;

  @ApiProperty(COUNT)
  readonly deliverable!: number;

  @ApiProperty(COUNT)
  readonly total!: number;

  @ApiProperty({ type: Grade, nullable: true, description: 'Null: no entry has a verdict.' })
  readonly grade!: Grade | null;
}

/** A result, and the provider of its mail host. */
export class ListEntryResult extends VerifyResult {
  @ApiProperty({ type: 'string', nullable: true, description: 'Null: no mail host, or of no known provider.' })
  readonly provider!: string | null;
}

/** An entry without a result, and the address that was meant by one that is no address. */
export class ListEntryError extends EntryError {
  @ApiProperty({ type: 'string', nullable: true, description: 'As in a result. Null if the entry is an address.' })
  readonly suggested_correction!: string | null;
}

export class ListResults {
  @ApiProperty({
    type: 'array',
    items: {
      anyOf: [{ $ref: '#/components/schemas/ListEntryResult' }, { $ref: '#/components/schemas/ListEntryError' }],
    },
    description: 'In the order of the list, over all parts.',
  })
  readonly results!: readonly (ListEntryResult | ListEntryError)[];

  @ApiProperty({ ...COUNT, description: 'Results of the whole list.' })
  readonly total!: number;

  @ApiProperty(COUNT)
  readonly offset!: number;
}
