import { ApiProperty } from '@nestjs/swagger';
import { MEMBER_ROLES, type MemberRole } from '../people/role.js';

const LINK_TO_PASS_ON = 'A link to pass on, good once within 24 hours. It is shown once.';

/** Somebody with a role in the account, or to whom one is promised. */
class PersonWithRole {
  @ApiProperty({ format: 'uuid' })
  readonly user_id!: string;

  @ApiProperty()
  readonly email!: string;

  @ApiProperty({ enum: MEMBER_ROLES })
  readonly role!: MemberRole;
}

export class MemberResponse extends PersonWithRole {
  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ description: 'Has not signed in yet, and chosen no password.' })
  readonly invited!: boolean;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  readonly last_signed_in_at!: string | null;

  @ApiProperty({ description: 'A sign-in by password needs an authentication code.' })
  readonly totp!: boolean;
}

export class InvitationResponse extends PersonWithRole {
  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the link ends.' })
  readonly expires_at!: string;
}

export class MembersResponse {
  @ApiProperty({ type: [MemberResponse], description: 'The oldest first.' })
  readonly members!: readonly MemberResponse[];

  @ApiProperty({ type: [InvitationResponse], description: 'Known users who have not joined yet.' })
  readonly invitations!: readonly InvitationResponse[];
}

export class AddedMemberResponse extends PersonWithRole {
  @ApiProperty({ description: 'The user has a sign-in already, and joins by opening the link while signed in.' })
  readonly known!: boolean;

  @ApiProperty({ description: LINK_TO_PASS_ON })
  readonly link!: string;
}

export class LinkToPassOn {
  @ApiProperty({ description: LINK_TO_PASS_ON })
  readonly link!: string;
}
