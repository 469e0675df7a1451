import { ApiProperty } from '@nestjs/swagger';
import { DomainObject } from '../../domains/domain.response.js';

export class ScorePartResponse {
  @ApiProperty({ description: 'The fact, such as `spf`.' })
  readonly part!: string;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Points reached.' })
  readonly points!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Points that it gives at most.' })
  readonly max!: number;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'Null: unknown, and counts on neither side.' })
  readonly fulfilled!: boolean | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'What would raise it; null: nothing, or unknown.' })
  readonly advice!: string | null;
}

export class DomainPage {
  @ApiProperty({ type: DomainObject, nullable: true, description: 'Null until the domain was crawled.' })
  readonly domain!: DomainObject | null;

  @ApiProperty({ type: ScorePartResponse, isArray: true, description: 'Largest first; none until it was crawled.' })
  readonly score_parts!: readonly ScorePartResponse[];

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  readonly crawled_at!: string | null;

  @ApiProperty({ description: 'A crawl is due or under way.' })
  readonly crawling!: boolean;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'It is known to accept every recipient; null: not known.',
  })
  readonly accept_all!: boolean | null;
}
