import { ApiProperty } from '@nestjs/swagger';

/** What the page has to know before anybody is signed in. */
export class OptionsResponse {
  @ApiProperty({ description: 'Sign-in by OpenID Connect is offered.' })
  readonly oidc!: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'Where people who want credits are sent.' })
  readonly topup_url!: string | null;

  @ApiProperty({ description: 'The address of the API.' })
  readonly api_url!: string;

  @ApiProperty({ description: 'The version of the product.' })
  readonly version!: string;
}
