import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'A probe that passed.' })
export class Health {
  @ApiProperty({ enum: ['ok'], description: 'Everything else is not a 200.' })
  readonly status!: 'ok';
}

@ApiSchema({ name: 'Readiness', description: 'Ready, and what else is to be known.' })
export class ReadinessResponse {
  @ApiProperty({
    enum: ['ok', 'degraded'],
    description:
      '`degraded`: Redis answers and takes no writes, so that every process counts and works by itself; or the database does, and calls that charge get 503. Requests may be sent all the same.',
  })
  readonly status!: 'ok' | 'degraded';

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'By server or part of the process. An open set.',
  })
  readonly details!: Readonly<Record<string, unknown>>;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', description: 'One line.' },
    description: 'What an operator should mend.',
  })
  readonly warnings!: readonly string[];
}
