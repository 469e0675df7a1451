import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A job that failed for good (decisions 7.1). Queues remove theirs, which frees the ids. */
@Entity('failed_jobs')
@Index('failed_jobs_queue', ['queue', 'failedAt'])
export class FailedJobEntity {
  @PrimaryGeneratedColumn('increment', { type: 'bigint', unsigned: true })
  id!: string;

  @Column({ type: 'varchar', length: 40, charset: 'ascii', collation: 'ascii_bin' })
  queue!: string;

  @Column({ type: 'varchar', length: 255 })
  jobId!: string;

  /** Contains no address. */
  @Column({ type: 'varchar', length: 200 })
  why!: string;

  /** Contains no address; null after a week. */
  @Column({ type: 'json', nullable: true })
  details!: Record<string, unknown> | null;

  @Index('failed_jobs_time')
  @Column({ type: 'datetime', precision: 3 })
  failedAt!: Date;
}
