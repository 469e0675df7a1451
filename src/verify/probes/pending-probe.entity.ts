import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A probe that was left to the worker, from the call that asked for it until it has ended (decisions 6.8): the truth of what
 * is pending. One that ended with a verdict is gone; one that ended without stands for an hour.
 */
@Entity('pending_probes')
@Index('pending_probes_address', ['addressHmac', 'active'], { unique: true })
@Index('pending_probes_queue', ['active', 'queueAt'])
@Index('pending_probes_end', ['active', 'endBy'])
export class PendingProbeEntity {
  /** Charges wait on it. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Column({ type: 'binary', length: 32 })
  addressHmac!: Buffer;

  /** 1 until it has ended, then null: an address has one probe at a time and any number that have ended. */
  @Column({ type: 'tinyint', unsigned: true, nullable: true })
  active!: number | null;

  @Column({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' })
  domain!: string;

  /** Encrypted, and null once it has ended: no address is kept. */
  @Column({ type: 'varbinary', length: 1600, nullable: true })
  sealedAddress!: Buffer | null;

  @Column({ type: 'enum', enum: ['standard', 'enhanced'] })
  mode!: 'standard' | 'enhanced';

  @Column({ type: 'enum', enum: ['single', 'batch'] })
  urgency!: 'single' | 'batch';

  /** `greylisted`: it was deferred, and is asked about once more. */
  @Column({ type: 'enum', enum: ['due', 'greylisted', 'failed'] })
  state!: 'due' | 'greylisted' | 'failed';

  /** The way out of the probe that was deferred. */
  @Column({ type: 'varchar', length: 600, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  egress!: string | null;

  /** The first one that asked; null: nobody knows. */
  @Column({ type: 'binary', length: 16, nullable: true })
  accountId!: Buffer | null;

  /** Calls that asked for it, without those that were not paid. */
  @Column({ type: 'smallint', unsigned: true })
  askers!: number;

  /** Probes begun of which nothing was heard: their processes died. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  begun!: number;

  /** Probes that failed on our side. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  failures!: number;

  /** The latest check that was known when it was asked for: a later one on record answers it. Null: there was none. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  newerThan!: Date | null;

  @Column({ type: 'datetime', precision: 3 })
  requestedAt!: Date;

  /** Not to be probed before. */
  @Column({ type: 'datetime', precision: 3 })
  dueAt!: Date;

  /** When it is put on the queue again, in case Redis has lost its job. */
  @Column({ type: 'datetime', precision: 3 })
  queueAt!: Date;

  /** Ends without a verdict then. */
  @Column({ type: 'datetime', precision: 3 })
  endBy!: Date;

  @Index('pending_probes_ended')
  @Column({ type: 'datetime', precision: 3, nullable: true })
  endedAt!: Date | null;

  /** What kept it from a verdict; holds no address. */
  @Column({ type: 'varchar', length: 200, nullable: true })
  why!: string | null;
}
