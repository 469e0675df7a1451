import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'What became of a report.' })
export class GuardEventsResponse {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Events that were stored.' })
  readonly accepted!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Malformed events, which were dropped.' })
  readonly rejected!: number;
}
