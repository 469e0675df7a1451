import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Entries of a job that are worked on together: those of one group of mail hosts. */
@Entity('job_chunks')
@Index('job_chunks_due', ['state', 'dueAt'])
@Index('job_chunks_turn', ['state', 'priority'])
export class JobChunkEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  jobId!: Buffer;

  @PrimaryColumn({ type: 'int', unsigned: true })
  number!: number;

  /** Of the mail hosts; empty for a chunk of several groups. */
  @Column({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' })
  groupName!: string;

  /** `retry`: of what was greylisted. */
  @Column({ type: 'enum', enum: ['first', 'retry'] })
  kind!: 'first' | 'retry';

  @Column({ type: 'enum', enum: ['due', 'done'] })
  state!: 'due' | 'done';

  /** In the queue: 1 is served first. */
  @Column({ type: 'int', unsigned: true })
  priority!: number;

  /** Not to be worked on before. While somebody holds it: when the hold ends by itself. */
  @Column({ type: 'datetime', precision: 3 })
  dueAt!: Date;

  /** When it was last put on the queue, or will be due there. */
  @Column({ type: 'datetime', precision: 3 })
  queuedAt!: Date;

  /** Runs begun of which nothing was heard: their processes died. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  begun!: number;

  /** Runs in a row that achieved nothing for a failure on our side. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  failures!: number;

  /** Names the run that holds it. */
  @Column({ type: 'binary', length: 16, nullable: true })
  holder!: Buffer | null;

  /** The way out of the probes that were deferred. */
  @Column({ type: 'varchar', length: 600, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  egress!: string | null;
}
