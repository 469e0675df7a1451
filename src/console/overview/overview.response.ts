import { ApiProperty } from '@nestjs/swagger';
import { LEDGER_ENDPOINTS, type LedgerEndpoint } from '../../billing/statement/ledger-endpoint.js';
import type { VerdictCounts } from '../../billing/usage/usage-counts.repository.js';
import { RESULTS } from '../../engine/verdict/result.js';
import { COUNT, countsBy } from '../../platform/openapi/field-schemas.js';

const COUNT_OR_NULL = { ...COUNT, nullable: true } as const;

/** Verdicts by result, as JSON Schema. */
export const VERDICTS = countsBy(RESULTS);

export class OverviewAccount {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty()
  readonly plan!: string;

  @ApiProperty()
  readonly suspended!: boolean;
}

export class CreditAmounts {
  @ApiProperty({ type: 'integer' })
  readonly total!: number;

  @ApiProperty({ type: 'integer' })
  readonly purchased!: number;

  @ApiProperty({ type: 'integer' })
  readonly gifted!: number;
}

export class QuotaUse {
  @ApiProperty({ ...COUNT_OR_NULL, description: 'Null: unlimited.' })
  readonly limit!: number | null;

  @ApiProperty(COUNT)
  readonly used!: number;

  @ApiProperty({ ...COUNT_OR_NULL, description: 'Null: unlimited.' })
  readonly remaining!: number | null;

  @ApiProperty({ format: 'date-time' })
  readonly resets_at!: string;
}

export class RateLimit {
  @ApiProperty(COUNT)
  readonly per_minute!: number;
}

export class OverviewDay {
  @ApiProperty({ format: 'date', description: 'UTC.' })
  readonly day!: string;

  @ApiProperty(VERDICTS)
  readonly verdicts!: VerdictCounts;

  @ApiProperty({ type: 'integer', description: 'Refunds taken off.' })
  readonly credits_used!: number;

  @ApiProperty({ type: 'integer', description: 'Refunds taken off.' })
  readonly free_verifies_used!: number;

  @ApiProperty({ type: 'integer', description: 'Billed addresses, refunded ones taken off.' })
  readonly addresses!: number;
}

export class OverviewTotals {
  @ApiProperty({ type: 'integer' })
  readonly addresses!: number;

  @ApiProperty({ type: 'integer' })
  readonly credits_used!: number;

  @ApiProperty({ type: 'integer' })
  readonly free_verifies_used!: number;

  @ApiProperty(COUNT)
  readonly refunded_credits!: number;

  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true, description: 'Null: there was no verdict.' })
  readonly deliverable_share!: number | null;
}

export class UseOfKey {
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  readonly key_id!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  readonly name!: string | null;

  @ApiProperty({ type: 'integer' })
  readonly addresses!: number;

  @ApiProperty({ type: 'integer' })
  readonly credits!: number;
}

export class UseOfEndpoint {
  @ApiProperty({ enum: LEDGER_ENDPOINTS })
  readonly endpoint!: LedgerEndpoint;

  @ApiProperty({ type: 'integer' })
  readonly addresses!: number;

  @ApiProperty({ type: 'integer' })
  readonly credits!: number;
}

/** What an account has and what it used. */
export class Overview {
  @ApiProperty()
  readonly account!: OverviewAccount;

  @ApiProperty()
  readonly credits!: CreditAmounts;

  @ApiProperty()
  readonly free_verifies!: QuotaUse;

  @ApiProperty()
  readonly rate_limit!: RateLimit;

  @ApiProperty()
  readonly guard!: QuotaUse;

  @ApiProperty({ type: OverviewDay, isArray: true, description: 'Every day of the span, oldest first.' })
  readonly days!: readonly OverviewDay[];

  @ApiProperty()
  readonly totals!: OverviewTotals;

  @ApiProperty({ type: UseOfKey, isArray: true, description: 'Most addresses first.' })
  readonly by_key!: readonly UseOfKey[];

  @ApiProperty({ type: UseOfEndpoint, isArray: true, description: 'Most addresses first.' })
  readonly by_endpoint!: readonly UseOfEndpoint[];
}
