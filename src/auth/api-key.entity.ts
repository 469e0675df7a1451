import { Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { hexTransformer } from '../platform/database/hex-transformer.js';
import { idTransformer } from '../platform/database/id-transformer.js';
import { AccountEntity } from './account.entity.js';
import { KEY_MODES, type KeyMode } from './api-key.js';

/** An API key. The table holds the key's hash: a reader of the table cannot use any key. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  id!: string;

  @Index('api_keys_account')
  @ForeignKey(() => AccountEntity, { name: 'api_keys_account_exists' })
  @Column({ type: 'binary', length: 16, transformer: idTransformer })
  accountId!: string;

  @Column({ type: 'enum', enum: KEY_MODES })
  mode!: KeyMode;

  @Column({ type: 'varchar', length: 100, nullable: true })
  name!: string | null;

  @Index('api_keys_sha256', { unique: true })
  @Column({ type: 'binary', length: 32, transformer: hexTransformer })
  sha256!: string;

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

  /** The key that a rotation made to replace this one. */
  @Column({ type: 'binary', length: 16, nullable: true, transformer: idTransformer })
  replacedBy!: string | null;

  /** 1: the key to which the console's calls are charged. Nobody has it: its hash is of no text. */
  @Column({ type: 'tinyint', default: 0 })
  hidden!: number;

  /** By the database's clock. The keys of a suspended account stay `active`, but are not in force. */
  @VirtualColumn({
    type: 'varchar',
    query: (key) =>
      `CASE WHEN ${key}.revoked_at IS NOT NULL THEN 'revoked' WHEN ${key}.expires_at <= UTC_TIMESTAMP(3) THEN 'expired' ELSE 'active' END`,
  })
  status!: 'active' | 'expired' | 'revoked';
}
