import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A job of 1 to 10,000 addresses. It exists if and only if it was paid (decisions 4.1). */
@Entity('jobs')
@Index('jobs_account', ['accountId', 'sandbox', 'id'])
@Index('jobs_unfinished', ['status', 'touchedAt'])
export class JobEntity {
  /** UUIDv7: rows are sorted by submit time. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** The key that submitted it. */
  @Column({ type: 'binary', length: 16 })
  keyId!: Buffer;

  @Column({ type: 'tinyint', default: 0 })
  sandbox!: number;

  @Column({ type: 'enum', enum: ['standard', 'enhanced'] })
  mode!: 'standard' | 'enhanced';

  /** What its owner calls it. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  name!: string | null;

  @Column({ type: 'enum', enum: ['processing', 'completed'] })
  status!: 'processing' | 'completed';

  /** Progress of the worker. `completed` and `done` are set together. */
  @Column({ type: 'enum', enum: ['new', 'planned', 'shaping', 'done'] })
  stage!: 'new' | 'planned' | 'shaping' | 'done';

  @Column({ type: 'int', unsigned: true })
  total!: number;

  /** Addresses that count against the plan: a long entry counts as several. NULL: same as `total`. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  addressesCounted!: number | null;

  /** Entries with a final outcome. Invalid addresses count from the submit on. */
  @Column({ type: 'int', unsigned: true })
  done!: number;

  /** Plans that began and never reported back, because their process died. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  begun!: number;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;

  /** 0: its completion is no event. */
  @Column({ type: 'tinyint', default: 1 })
  webhook!: number;

  /** Completion time. A sandbox job gets a future one at the submit and completes by itself, without a worker. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  completedAt!: Date | null;

  /** Entries by verdict, written when the job is completed; a sandbox job has them from the submit on. */
  @Column({ type: 'json', nullable: true })
  counts!: unknown;

  /**
   * The job is invisible from this time on; its rows are deleted once it is also completed. A deletion sets it to now.
   */
  @Index('jobs_expiry')
  @Column({ type: 'datetime', precision: 3 })
  expiresAt!: Date;

  /** Last time that the job was worked on or queued. A job that is silent for too long has lost its work in Redis. */
  @Column({ type: 'datetime', precision: 3 })
  touchedAt!: Date;
}
