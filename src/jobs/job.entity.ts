import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A job of 1 to 10,000 addresses: it stands exactly if it was paid (decisions 4.1). */
@Entity('jobs')
@Index('jobs_account', ['accountId', 'sandbox', 'id'])
@Index('jobs_unfinished', ['status', 'touchedAt'])
export class JobEntity {
  /** UUIDv7: rows are in the order in which jobs were submitted. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** The key it was submitted with. */
  @Column({ type: 'binary', length: 16 })
  keyId!: Buffer;

  @Column({ type: 'tinyint', default: 0 })
  sandbox!: number;

  @Column({ type: 'enum', enum: ['standard', 'enhanced'] })
  mode!: 'standard' | 'enhanced';

  @Column({ type: 'enum', enum: ['processing', 'completed'] })
  status!: 'processing' | 'completed';

  /** How far the worker came. `completed` and `done` are one moment. */
  @Column({ type: 'enum', enum: ['new', 'planned', 'shaping', 'done'] })
  stage!: 'new' | 'planned' | 'shaping' | 'done';

  @Column({ type: 'int', unsigned: true })
  total!: number;

  /** What its entries count as against the plan: a long one is more than one address. NULL: as `total`. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  addressesCounted!: number | null;

  /** Entries whose outcome is final. From the submit on it counts those that are no address. */
  @Column({ type: 'int', unsigned: true })
  done!: number;

  /** Plans begun of which nothing was heard: their processes died. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  begun!: number;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;

  /** A sandbox job is completed from its submit on, as soon as this moment has come: no worker has anything to do for it. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  completedAt!: Date | null;

  /** From then on it is not to be seen; its rows go when it is completed too. A deletion sets it to the moment it is. */
  @Index('jobs_expiry')
  @Column({ type: 'datetime', precision: 3 })
  expiresAt!: Date;

  /** When something of it was last done or queued: one that was left alone for too long has lost its work in Redis. */
  @Column({ type: 'datetime', precision: 3 })
  touchedAt!: Date;
}
