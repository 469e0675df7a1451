import { ApiProperty } from '@nestjs/swagger';

export class AuditActor {
  @ApiProperty({ enum: ['user', 'operator', 'system'] })
  readonly kind!: 'user' | 'operator' | 'system';

  @ApiProperty({ description: 'What people call them.' })
  readonly name!: string;
}

/** One act on the account. */
export class AuditEntryResponse {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty({ format: 'date-time' })
  readonly at!: string;

  @ApiProperty()
  readonly actor!: AuditActor;

  @ApiProperty({ description: 'Noun and verb, such as `key.create`. An open set.' })
  readonly action!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'What the act changed: an id, a domain, or the name of a user; null: the account itself.',
  })
  readonly subject!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Values that explain the act.',
  })
  readonly details!: Readonly<Record<string, unknown>> | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The IP address of the browser; null for a shell.' })
  readonly address!: string | null;
}

export class AuditResponse {
  @ApiProperty({ type: [AuditEntryResponse], description: 'The newest first.' })
  readonly entries!: readonly AuditEntryResponse[];

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'The `cursor` of the next page.' })
  readonly next!: string | null;
}
