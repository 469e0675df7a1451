import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity.js';
import { KEY_MODES, type KeyMode } from './api-key.js';

/** A key as it is kept: by its hash, so that whoever reads this table can use none of them. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Index('api_keys_account')
  @ForeignKey(() => AccountEntity, { name: 'api_keys_account_exists' })
  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  @Column({ type: 'enum', enum: KEY_MODES })
  mode!: KeyMode;

  @Column({ type: 'varchar', length: 100, nullable: true })
  name!: string | null;

  @Index('api_keys_sha256', { unique: true })
  @Column({ type: 'binary', length: 32 })
  sha256!: Buffer;

  @Column({ type: 'char', length: 4 })
  lastFour!: string;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'datetime', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Coarse: up to a minute late. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'datetime', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** The key that a rotation made in place of this one. */
  @Column({ type: 'binary', length: 16, nullable: true })
  replacedBy!: Buffer | null;
}
