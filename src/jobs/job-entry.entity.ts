import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One entry of a job. Its outcome is final when it has an `error` or `facts`. An entry that is no address comes with its
 * `result` from the submit on: whoever shapes results leaves those alone that are there.
 */
@Entity('job_entries')
@Index('job_entries_chunk', ['jobId', 'chunk', 'position'])
export class JobEntryEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  jobId!: Buffer;

  /** In the order of the submit, from 0. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  position!: number;

  /** An address, as it was sent; null for an entry that is none. */
  @Column({ type: 'varchar', length: 1024, charset: 'utf8mb4', collation: 'utf8mb4_bin', nullable: true })
  sent!: string | null;

  @Column({ type: 'enum', enum: ['invalid_email', 'verify_unavailable'], nullable: true })
  error!: 'invalid_email' | 'verify_unavailable' | null;

  /** Credits it was charged at, also where the allowance paid; 0: it was not charged. */
  @Column({ type: 'tinyint', unsigned: true })
  unitPrice!: number;

  /** Number of the chunk it is worked on in. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  chunk!: number | null;

  /** What was found out, without a verdict. */
  @Column({ type: 'json', nullable: true })
  facts!: unknown;

  /** JSON text of a verify result or an entry error, as it is sent. */
  @Column({ type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin', nullable: true })
  result!: string | null;
}
