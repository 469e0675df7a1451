import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { LEDGER_KINDS, type LedgerKind } from '../../billing/ledger/ledger-kind.js';
import { ApiRequestQuery } from '../../platform/openapi/request-schema.js';
import { IsParsed, IsWhole } from '../../platform/validation/field-rules.js';
import { readMoment } from './read-moment.js';

const MAX_ENTRIES = 200;
const DEFAULT_ENTRIES = 50;

const IsMoment = (): PropertyDecorator =>
  IsParsed('isMoment', readMoment, 'it is a day or a time such as 2026-11-28 or 2026-11-28T10:00:00Z');

/** Which rows of the ledger are wanted. */
@ApiRequestQuery()
export class StatementFilterRequest {
  @IsOptional()
  @IsIn(LEDGER_KINDS)
  @ApiProperty({ description: 'Of one kind.' })
  kind?: LedgerKind;

  @IsOptional()
  @IsMoment()
  @ApiProperty({ description: 'Not earlier. A day without a time begins at 0:00 UTC.' })
  from?: string;

  @IsOptional()
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
