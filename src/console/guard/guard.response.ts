import { ApiProperty } from '@nestjs/swagger';
import type { TokenCounts } from '../../guard/report/guard-report.js';
import { KNOWN_TOKENS, OTHER, type TokenField } from '../../guard/report/known-tokens.js';
import { QuotaUse } from '../overview/overview.response.js';
import { COUNT, countsBy } from '../../platform/openapi/field-schemas.js';

/** Counts by token, as JSON Schema. */
const tokens = (field: TokenField) => countsBy([...KNOWN_TOKENS[field], OTHER]);

export class GuardTotals {
  @ApiProperty(COUNT)
  readonly total!: number;

  @ApiProperty(tokens('verdict'))
  readonly verdicts!: TokenCounts;

  @ApiProperty(tokens('action'))
  readonly actions!: TokenCounts;

  @ApiProperty(tokens('source'))
  readonly sources!: TokenCounts;

  @ApiProperty({ ...COUNT, description: 'Decided without an answer of ours, or past the quota.' })
  readonly degraded!: number;
}

export class GuardDay extends GuardTotals {
  @ApiProperty({ format: 'date', description: 'UTC.' })
  readonly day!: string;
}

export class GuardDomain {
  @ApiProperty()
  readonly domain!: string;

  @ApiProperty(COUNT)
  readonly count!: number;
}

export class GuardPage {
  @ApiProperty({ description: 'Remote decisions of the month.' })
  readonly quota!: QuotaUse;

  @ApiProperty({ type: GuardDay, isArray: true, description: 'Every day of the span, oldest first.' })
  readonly days!: readonly GuardDay[];

  @ApiProperty()
  readonly totals!: GuardTotals;

  @ApiProperty({ type: GuardDomain, isArray: true, description: 'Most frequent first.' })
  readonly top_domains!: readonly GuardDomain[];
}

export class Property {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty({ description: 'The site key: public, it goes into the pages of the site.' })
  readonly property_key!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ format: 'date-time' })
  readonly created_at!: string;
}

export class PropertyList {
  @ApiProperty({ type: Property, isArray: true, description: 'Oldest first.' })
  readonly properties!: readonly Property[];
}
