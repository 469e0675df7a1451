import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One entry of a job. Its chunk, its outcome and its result stand in rows that it shares with others; this row holds them
 * only as far as its columns say. An invalid address has its `result` from the submit on, and the result writer skips
 * entries with a result.
 */
@Entity('job_entries')
export class JobEntryEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  jobId!: Buffer;

  /** Index in the submitted list, from 0. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  position!: number;

  /** The address as it was sent; null for an invalid one. */
  @Column({ type: 'varchar', length: 1024, charset: 'utf8mb4', collation: 'utf8mb4_bin', nullable: true })
  sent!: string | null;

  @Column({ type: 'enum', enum: ['invalid_email', 'verify_unavailable'], nullable: true })
  error!: 'invalid_email' | 'verify_unavailable' | null;

  /** Credits charged, also if the allowance paid them; 0: not charged. */
  @Column({ type: 'tinyint', unsigned: true })
  unitPrice!: number;

  /** Number of its chunk, if an earlier release has planned it. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  chunk!: number | null;

  /** Facts without a verdict: of outcomes that the plan found, or that cost less than was charged. */
  @Column({ type: 'json', nullable: true })
  facts!: unknown;

  /** JSON text of a verify result or an entry error, as it is sent. */
  @Column({ type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin', nullable: true })
  result!: string | null;
}
