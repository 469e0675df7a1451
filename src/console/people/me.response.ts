import { ApiProperty } from '@nestjs/swagger';
import { MEMBER_ROLES, type MemberRole } from './role.js';

export class UserResponse {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty()
  readonly email!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ description: "May see the operator's area." })
  readonly operator!: boolean;

  @ApiProperty({ description: 'A sign-in needs an authentication code.' })
  readonly totp!: boolean;

  @ApiProperty({ description: 'Has signed in by OpenID Connect.' })
  readonly oidc!: boolean;

  @ApiProperty()
  readonly has_password!: boolean;
}

export class AccountOfUser {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty()
  readonly plan!: string;

  @ApiProperty({ description: 'Its keys are refused.' })
  readonly suspended!: boolean;

  @ApiProperty({ enum: MEMBER_ROLES })
  readonly role!: MemberRole;
}

/** The signed-in user. */
export class MeResponse {
  @ApiProperty()
  readonly user!: UserResponse;

  @ApiProperty({ type: [AccountOfUser], description: 'Accounts that the user is a member of.' })
  readonly accounts!: readonly AccountOfUser[];

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'The account looked at last.' })
  readonly last_account!: string | null;
}
