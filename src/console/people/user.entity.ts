import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idTransformer } from '../../platform/database/id-transformer.js';

/** A person who signs in to the console. */
@Entity('users')
@Index('users_oidc', ['oidcIssuer', 'oidcSubject'], { unique: true })
export class UserEntity {
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  id!: string;

  /** As `parseUserEmail` writes it. */
  @Index('users_email', { unique: true })
  @Column({ type: 'varchar', length: 254, collation: 'utf8mb4_bin' })
  email!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** 1: sees the operator's area. */
  @Column({ type: 'tinyint', default: 0 })
  operator!: number;

  /** Argon2id; null: none is chosen yet. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  passwordHash!: string | null;

  /** Sealed. Waits for its first code while `totpOnAt` is null. */
  @Column({ type: 'varbinary', length: 255, nullable: true })
  totpSecret!: Buffer | null;

  /** Since when a sign-in needs a code; null: it needs none. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  totpOnAt!: Date | null;

  /** The time step of the last code that was accepted: it and those before it are used up. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  totpLastStep!: number | null;

  /** Issuer and subject are bound to the user by the first sign-in by OpenID Connect, and lead to them from then on. */
  @Column({ type: 'varchar', length: 255, nullable: true, collation: 'utf8mb4_bin' })
  oidcIssuer!: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true, collation: 'utf8mb4_bin' })
  oidcSubject!: string | null;

  /** The account looked at last. */
  @Column({ type: 'binary', length: 16, nullable: true, transformer: idTransformer })
  lastAccountId!: string | null;

  @Column({ type: 'datetime', precision: 3, nullable: true })
  lastSignedInAt!: Date | null;

  /** Set: the user cannot sign in. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
