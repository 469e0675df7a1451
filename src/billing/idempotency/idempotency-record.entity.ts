import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The first call with an `Idempotency-Key`: its lease while it runs, then its answer (decisions 1.7). */
@Entity('idempotency_records')
export class IdempotencyRecordEntity {
  @PrimaryGeneratedColumn('increment', { type: 'bigint', unsigned: true })
  id!: string;

  /** Hash of account, live or test, method and path, and key: the key itself is not stored. */
  @Index('idempotency_records_scope', { unique: true })
  @Column({ type: 'binary', length: 32 })
  scopeSha256!: Buffer;

  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** Hash of the body, to tell a repeat from another request with the same key. */
  @Column({ type: 'binary', length: 32 })
  requestSha256!: Buffer;

  /** The running or last call's lease: a call that finds another one here has lost its own. */
  @Column({ type: 'binary', length: 16 })
  lease!: Buffer;

  /** HTTP status of the answer; null while the call runs. */
  @Column({ type: 'smallint', unsigned: true, nullable: true })
  status!: number | null;

  /** Headers of the answer, such as `Location`. */
  @Column({ type: 'json', nullable: true })
  headers!: Record<string, string> | null;

  /** The answer, byte for byte. */
  @Column({ type: 'mediumblob', nullable: true })
  body!: Buffer | null;

  /** When the lease of a running call, or the retention of an answer, ends. */
  @Index('idempotency_records_expiry')
  @Column({ type: 'datetime', precision: 3 })
  expiresAt!: Date;
}
