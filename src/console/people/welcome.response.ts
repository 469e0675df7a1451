import { ApiProperty } from '@nestjs/swagger';
import { MEMBER_ROLES, type MemberRole } from './role.js';

export class LinkAccount {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty()
  readonly name!: string;
}

const LINK_KINDS = ['invitation', 'reset', 'membership'] as const;

/** What a one-time link is for. */
export class LinkResponse {
  @ApiProperty({
    enum: LINK_KINDS,
    description:
      '`invitation` and `reset`: choose a password. `membership`: a user who is known signs in, and joins by it.',
  })
  readonly kind!: (typeof LINK_KINDS)[number];

  @ApiProperty({ type: 'string', nullable: true, description: 'Null for `membership`.' })
  readonly email!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Null for `membership`.' })
  readonly name!: string | null;

  @ApiProperty({ type: LinkAccount, nullable: true, description: 'The account that invites.' })
  readonly account!: LinkAccount | null;

  @ApiProperty({ enum: MEMBER_ROLES, nullable: true, description: 'The role in the account, of `membership`.' })
  readonly role!: MemberRole | null;

  @ApiProperty({ description: 'The user becomes an operator by it, of `membership`.' })
  readonly operator!: boolean;
}
