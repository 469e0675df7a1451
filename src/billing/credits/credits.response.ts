import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** A monthly allowance. Both figures are null if unlimited. */
@ApiSchema({ description: 'An allowance of the month (UTC).' })
export class Allowance {
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true, description: 'A month; null: unlimited.' })
  readonly limit!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, nullable: true, description: 'Left this month; null: unlimited.' })
  readonly remaining!: number | null;

  @ApiProperty({
    format: 'date-time',
    description: 'When the next month begins. UTC, ISO 8601 with milliseconds.',
  })
  readonly resets_at!: string;
}

@ApiSchema({ description: 'The balance. Gifted credits are spent first.' })
class Credits {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Both together.' })
  readonly total!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Bought.' })
  readonly purchased!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Given.' })
  readonly gifted!: number;
}

/** Null if unknown. */
@ApiSchema({ description: 'As the `X-RateLimit-*` headers of the same answer.' })
class RateLimit {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Requests a minute.' })
  readonly limit!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'Requests that may be made now; null when it is not known.',
  })
  readonly remaining!: number | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'Unix second at which all are back; null when it is not known.',
  })
  readonly reset!: number | null;
}

/** The credits status object (decisions 4.7). */
@ApiSchema({ description: 'What an account has.' })
export class CreditsStatus {
  @ApiProperty({ description: 'Name of the plan.' })
  readonly plan!: string;

  @ApiProperty({ description: 'Asked with a test key.' })
  readonly sandbox!: boolean;

  @ApiProperty()
  readonly credits!: Credits;

  @ApiProperty()
  readonly rate_limit!: RateLimit;

  @ApiProperty({ description: 'Free verifies of the month (UTC).' })
  readonly free_verifies!: Allowance;

  @ApiProperty({ description: 'Remote decisions of guards, of the month (UTC).' })
  readonly guard!: Allowance;
}
