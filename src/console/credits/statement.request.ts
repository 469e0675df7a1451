import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, ValidateBy } from 'class-validator';
import { LEDGER_KINDS, type LedgerKind } from '../../billing/ledger/ledger-kind.js';
import { ApiRequestQuery } from '../../platform/openapi/request-schema.js';
import { IsWhole } from '../../platform/validation/field-rules.js';
import { readMoment } from './read-moment.js';

const MAX_ENTRIES = 200;
const DEFAULT_ENTRIES = 50;

function IsMoment(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && readMoment(value) !== null;
  return ValidateBy(
    { name: 'isMoment', validator: { validate } },
    { message: 'it is a day or a time such as 2026-11-28 or 2026-11-28T10:00:00Z' },
  );
}

/** Which rows of the ledger are wanted. */
@ApiRequestQuery()
export class StatementFilterRequest {
  @IsOptional()
  @IsIn(LEDGER_KINDS)
  @ApiProperty({ description: 'Of one kind.' })
  kind?: LedgerKind;

  @IsOptional()
  @IsString()
  @IsMoment()
  @ApiProperty({ description: 'Not earlier. A day without a time begins at 0:00 UTC.' })
  from?: string;

  @IsOptional()
  @IsString()
  @IsMoment()
  @ApiProperty({ description: 'Earlier than this. A day without a time ends it at 0:00 UTC.' })
  to?: string;
}

/** Query of the statement. */
@ApiRequestQuery()
export class StatementRequest extends StatementFilterRequest {
  @IsOptional()
  @IsString()
  @Matches(/^\d{1,20}$/, { message: 'it is what next of another page was' })
  @ApiProperty({ description: '`next` of the page before.' })
  cursor?: string;

  @IsOptional()
  @IsWhole(1, MAX_ENTRIES)
  @ApiProperty({ default: DEFAULT_ENTRIES, description: 'Entries on a page.' })
  limit: number = DEFAULT_ENTRIES;
}
