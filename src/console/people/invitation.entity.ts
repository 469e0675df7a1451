import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../auth/account.entity.js';
import { hexTransformer } from '../../platform/database/hex-transformer.js';
import { idTransformer } from '../../platform/database/id-transformer.js';
import { MEMBER_ROLES, type MemberRole } from './role.js';
import { UserEntity } from './user.entity.js';

/** What a known user gets by opening a link while signed in, once. The table has the hash of its token. */
@Entity('invitations')
@Index('invitations_user_account', ['userId', 'accountId'], { unique: true })
export class InvitationEntity {
  @PrimaryColumn({ type: 'binary', length: 32, transformer: hexTransformer })
  tokenSha256!: string;

  @Column({ type: 'binary', length: 16, transformer: idTransformer })
  userId!: string;

  /** The account that the user joins; null: none. */
  @Index('invitations_account')
  @Column({ type: 'binary', length: 16, nullable: true, transformer: idTransformer })
  accountId!: string | null;

  /** The role in the account. */
  @Column({ type: 'enum', enum: MEMBER_ROLES, nullable: true })
  role!: MemberRole | null;

  /** 1: the user becomes an operator. */
  @Column({ type: 'tinyint', default: 0 })
  operator!: number;

  @Index('invitations_expiry')
  @Column({ type: 'datetime', precision: 3 })
  expiresAt!: Date;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ foreignKeyConstraintName: 'invitations_user_exists' })
  user!: UserEntity;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ foreignKeyConstraintName: 'invitations_account_exists' })
  account!: AccountEntity | null;
}
