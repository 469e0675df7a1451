import { ApiProperty } from '@nestjs/swagger';

export class SessionResponse {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty({ format: 'date-time' })
  readonly created_at!: string;

  @ApiProperty({ format: 'date-time', description: 'Up to a minute late.' })
  readonly last_used_at!: string;

  @ApiProperty({ format: 'date-time' })
  readonly expires_at!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The address of the browser at the sign-in.' })
  readonly address!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'What the browser called itself.' })
  readonly user_agent!: string | null;

  @ApiProperty({ description: 'The session of this request.' })
  readonly current!: boolean;
}

export class SessionsResponse {
  @ApiProperty({ type: [SessionResponse], description: 'The one used last first.' })
  readonly sessions!: readonly SessionResponse[];
}
