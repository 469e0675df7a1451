import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../auth/account.entity.js';
import { idTransformer } from '../../platform/database/id-transformer.js';
import { MEMBER_ROLES, type MemberRole } from './role.js';
import { UserEntity } from './user.entity.js';

/** What a user may do in an account. */
@Entity('memberships')
export class MembershipEntity {
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  userId!: string;

  @Index('memberships_account')
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  accountId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ foreignKeyConstraintName: 'memberships_user_exists' })
  user!: UserEntity;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ foreignKeyConstraintName: 'memberships_account_exists' })
  account!: AccountEntity;

  @Column({ type: 'enum', enum: MEMBER_ROLES })
  role!: MemberRole;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
