import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Entries of a job that one chunk run processes: those of one group of mail hosts. */
@Entity('job_chunks')
@Index('job_chunks_due', ['state', 'dueAt'])
@Index('job_chunks_turn', ['state', 'priority'])
export class JobChunkEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  jobId!: Buffer;

  @PrimaryColumn({ type: 'int', unsigned: true })
  number!: number;

  /** Group of mail hosts; empty for a chunk of several groups. */
  @Column({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' })
  groupName!: string;

  /** `retry`: greylisted addresses. */
  @Column({ type: 'enum', enum: ['first', 'retry'] })
  kind!: 'first' | 'retry';

  @Column({ type: 'enum', enum: ['due', 'done'] })
  state!: 'due' | 'done';

  /** Priority in the queue: 1 is served first. */
  @Column({ type: 'int', unsigned: true })
  priority!: number;

  /** Earliest time of the next run. While a run holds the chunk: the time when the hold expires. */
  @Column({ type: 'datetime', precision: 3 })
  dueAt!: Date;

  /** When it was last queued, or when its queue delay ends. */
  @Column({ type: 'datetime', precision: 3 })
  queuedAt!: Date;

  /** Runs that began and never reported back, because their process died. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  begun!: number;

  /** Runs in a row that achieved nothing because of our own failure. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  failures!: number;

  /** Id of the run that holds the chunk. */
  @Column({ type: 'binary', length: 16, nullable: true })
  holder!: Buffer | null;

  /** Egress of the probes that were deferred. */
  @Column({ type: 'varchar', length: 600, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  egress!: string | null;

  /** Positions of its entries without an outcome, with commas between; null: its entries name it. */
  @Column({ type: 'mediumtext', charset: 'ascii', collation: 'ascii_bin', nullable: true })
  positions!: string | null;
}
