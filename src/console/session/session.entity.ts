import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { hexTransformer } from '../../platform/database/hex-transformer.js';
import { idTransformer } from '../../platform/database/id-transformer.js';
import { UserEntity } from '../people/user.entity.js';

/** A browser that is signed in. The table has the hash of the token in its cookie. */
@Entity('sessions')
export class SessionEntity {
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  id!: string;

  @Index('sessions_user')
  @ForeignKey(() => UserEntity, { name: 'sessions_user_exists', onDelete: 'CASCADE' })
  @Column({ type: 'binary', length: 16, transformer: idTransformer })
  userId!: string;

  @Index('sessions_token', { unique: true })
  @Column({ type: 'binary', length: 32, transformer: hexTransformer })
  tokenSha256!: string;

  /** `code`: the password was right, and the authentication code is still to come. */
  @Column({ type: 'enum', enum: ['code', 'full'] })
  stage!: 'code' | 'full';

  /** Authentication codes that were tried. */
  @Column({ type: 'tinyint', unsigned: true, default: 0 })
  codeTries!: number;

  /** The client's IP address at the sign-in. */
  @Column({ type: 'varchar', length: 45, nullable: true })
  address!: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  userAgent!: string | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;

  /** Coarse: up to a minute late. */
  @Column({ type: 'datetime', precision: 3 })
  lastUsedAt!: Date;

  @Index('sessions_expiry')
  @Column({ type: 'datetime', precision: 3 })
  expiresAt!: Date;
}
