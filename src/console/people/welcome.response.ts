import { ApiProperty } from '@nestjs/swagger';

export class LinkAccount {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty()
  readonly name!: string;
}

/** What a one-time link is for. */
export class LinkResponse {
  @ApiProperty()
  readonly email!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ type: LinkAccount, nullable: true, description: 'The account that invites.' })
  readonly account!: LinkAccount | null;

  @ApiProperty({ enum: ['invitation', 'reset'] })
  readonly kind!: 'invitation' | 'reset';
}
