import { ApiProperty } from '@nestjs/swagger';
import { LEDGER_KINDS, type LedgerKind } from '../../billing/ledger/ledger-kind.js';
import { LEDGER_ENDPOINTS, type LedgerEndpoint } from '../../billing/statement/ledger-endpoint.js';
import { CreditAmounts } from '../overview/overview.response.js';

/** One movement of credits or free verifies. */
export class LedgerEntry {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty({ format: 'date-time' })
  readonly at!: string;

  @ApiProperty({ enum: LEDGER_KINDS })
  readonly kind!: LedgerKind;

  @ApiProperty({ enum: LEDGER_ENDPOINTS, nullable: true, description: 'Null: no call.' })
  readonly endpoint!: LedgerEndpoint | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  readonly key_id!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  readonly key_name!: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Addresses that were charged or refunded.' })
  readonly addresses!: number;

  @ApiProperty({ description: 'The change: negative for a charge.' })
  readonly credits!: CreditAmounts;

  @ApiProperty({ type: 'integer', description: 'The change: negative for a charge.' })
  readonly free_verifies!: number;

  @ApiProperty({ type: 'integer', description: 'Credits after it.' })
  readonly balance_after!: number;

  @ApiProperty()
  readonly reference!: string;
}

/** A page of the statement. */
export class Statement {
  @ApiProperty({
    type: LedgerEntry,
    isArray: true,
    description: 'Newest first. There may be none although `next` leads to more, where few pass the filter.',
  })
  readonly entries!: readonly LedgerEntry[];

  @ApiProperty({ type: 'string', nullable: true, description: '`cursor` of the next page; null: this is the last.' })
  readonly next!: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Credits now.' })
  readonly balance!: number;
}

export class AllowanceMonth {
  @ApiProperty({ description: 'Such as 2026-11, UTC.' })
  readonly month!: string;

  @ApiProperty({ type: 'integer' })
  readonly free_verifies_used!: number;

  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, description: 'Of the plan of today. Null: unlimited.' })
  readonly limit!: number | null;

  @ApiProperty({ type: 'integer' })
  readonly credits_used!: number;
}

export class Allowance {
  @ApiProperty({ type: AllowanceMonth, isArray: true, description: 'The last twelve months, latest first.' })
  readonly months!: readonly AllowanceMonth[];
}
