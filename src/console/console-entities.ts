import { InvitationEntity } from './people/invitation.entity.js';
import { MembershipEntity } from './people/membership.entity.js';
import { UserEntity } from './people/user.entity.js';
import { UserLinkEntity } from './people/user-link.entity.js';
import { SessionEntity } from './session/session.entity.js';
import { RecoveryCodeEntity } from './sign-in/recovery-code.entity.js';

/** Tables of people and their sessions. */
export const CONSOLE_ENTITIES = [
  UserEntity,
  MembershipEntity,
  UserLinkEntity,
  InvitationEntity,
  SessionEntity,
  RecoveryCodeEntity,
];
