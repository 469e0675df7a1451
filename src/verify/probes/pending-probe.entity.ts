import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A probe left to the worker, from its request until its end (decisions 6.8); MySQL is the source of truth. The row is
 * deleted when the probe ends with a verdict, a minute later if a call that asked for it is not charged yet, and kept
 * for an hour when it ends without.
 */
@Entity('pending_probes')
@Index('pending_probes_address', ['addressHmac', 'active'], { unique: true })
@Index('pending_probes_queue', ['active', 'queueAt'])
@Index('pending_probes_end', ['active', 'endBy'])
export class PendingProbeEntity {
  /** Charges wait on this id. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Column({ type: 'binary', length: 32 })
  addressHmac!: Buffer;

  /** 1 while pending, then null: an address has at most one pending probe and any number of ended ones. */
  @Column({ type: 'tinyint', unsigned: true, nullable: true })
  active!: number | null;

  @Column({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' })
  domain!: string;

  /** Encrypted; null once the probe has ended and every call that asked is charged, so that no address is kept. */
  @Column({ type: 'varbinary', length: 1600, nullable: true })
  sealedAddress!: Buffer | null;

  @Column({ type: 'enum', enum: ['standard', 'enhanced'] })
  mode!: 'standard' | 'enhanced';

  @Column({ type: 'enum', enum: ['single', 'batch'] })
  urgency!: 'single' | 'batch';

  /** `greylisted`: the mail host deferred it; one retry is left. */
  @Column({ type: 'enum', enum: ['due', 'greylisted', 'failed'] })
  state!: 'due' | 'greylisted' | 'failed';

  /** The egress of the greylisted attempt. */
  @Column({ type: 'varchar', length: 600, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  egress!: string | null;

  /** The first account that requested it; null: unknown. */
  @Column({ type: 'binary', length: 16, nullable: true })
  accountId!: Buffer | null;

  /** Calls that requested it, without unpaid ones. */
  @Column({ type: 'smallint', unsigned: true })
  askers!: number;

  /** Attempts that began and never reported back: their processes died. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  begun!: number;

  /** Attempts that failed on our side. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  failures!: number;

  /** When the latest check known at the request ran: a later cached check answers the probe. Null: there was none. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  newerThan!: Date | null;

  @Column({ type: 'datetime', precision: 3 })
  requestedAt!: Date;

  /** No attempt before this time. */
  @Column({ type: 'datetime', precision: 3 })
  dueAt!: Date;

  /** When the reconciler queues it again, in case Redis lost its job. */
  @Column({ type: 'datetime', precision: 3 })
  queueAt!: Date;

  /** The probe ends without a verdict at this time. */
  @Column({ type: 'datetime', precision: 3 })
  endBy!: Date;

  @Index('pending_probes_ended')
  @Column({ type: 'datetime', precision: 3, nullable: true })
  endedAt!: Date | null;

  /** Why there is no verdict; holds no address. */
  @Column({ type: 'varchar', length: 200, nullable: true })
  why!: string | null;
}
