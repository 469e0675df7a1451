import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { hexTransformer } from '../../platform/database/hex-transformer.js';
import { idTransformer } from '../../platform/database/id-transformer.js';
import { UserEntity } from './user.entity.js';

/** A link on which a user chooses a password, once. The table has the hash of its token. */
@Entity('user_links')
export class UserLinkEntity {
  @PrimaryColumn({ type: 'binary', length: 32, transformer: hexTransformer })
  tokenSha256!: string;

  @Index('user_links_user')
  @ForeignKey(() => UserEntity, { name: 'user_links_user_exists', onDelete: 'CASCADE' })
  @Column({ type: 'binary', length: 16, transformer: idTransformer })
  userId!: string;

  /** The account that invites; null: none. */
  @Column({ type: 'binary', length: 16, nullable: true, transformer: idTransformer })
  accountId!: string | null;

  @Column({ type: 'enum', enum: ['invitation', 'reset'] })
  kind!: 'invitation' | 'reset';

  @Index('user_links_expiry')
  @Column({ type: 'datetime', precision: 3 })
  expiresAt!: Date;
}
