import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The first call with an `Idempotency-Key`: running under a lease, then its answer (decisions 1.7). */
@Entity('idempotency_records')
export class IdempotencyRecordEntity {
  @PrimaryGeneratedColumn('increment', { type: 'bigint', unsigned: true })
  id!: string;

  /** Of account, live or test, method and path, and key: the key itself is not kept. */
  @Index('idempotency_records_scope', { unique: true })
  @Column({ type: 'binary', length: 32 })
  scopeSha256!: Buffer;

  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** Of the body, to tell a repeat from another request under the same key. */
  @Column({ type: 'binary', length: 32 })
  requestSha256!: Buffer;

  /** Of the call that runs or ran: whoever finds another one here has lost its turn. */
  @Column({ type: 'binary', length: 16 })
  lease!: Buffer;

  /** HTTP status of the answer; null while the call runs. */
  @Column({ type: 'smallint', unsigned: true, nullable: true })
  status!: number | null;

  /** Headers that belong to the answer, such as `Location`. */
  @Column({ type: 'json', nullable: true })
  headers!: Record<string, string> | null;

  /** The answer, byte for byte. */
  @Column({ type: 'mediumblob', nullable: true })
  body!: Buffer | null;

  /** Of a running call the end of its lease, of an answer the end of its keeping. */
  @Index('idempotency_records_expiry')
  @Column({ type: 'datetime', precision: 3 })
  expiresAt!: Date;
}
