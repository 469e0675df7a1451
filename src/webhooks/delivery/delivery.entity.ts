import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type DeliveryState = 'due' | 'delivered' | 'failed';

/** An event for an endpoint: the outbox. Written by the transaction that the event reports. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_due', ['endpointId', 'state', 'dueAt'])
@Index('webhook_deliveries_list', ['endpointId', 'id'])
@Index('webhook_deliveries_sending', ['accountId', 'sendingUntil'])
export class DeliveryEntity {
  /** UUIDv7: the `webhook-id` of every attempt. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Column({ type: 'binary', length: 16 })
  endpointId!: Buffer;

  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' })
  type!: string;

  /** The text that is sent, sealed. NULL: erased. */
  @Column({ type: 'mediumblob', nullable: true })
  body!: Buffer | null;

  @Column({ type: 'enum', enum: ['due', 'delivered', 'failed'], default: 'due' })
  state!: DeliveryState;

  /** Attempts that began. It identifies the one under way. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  attempts!: number;

  /** When to attempt next. While an attempt is under way: when others may take it for lost. */
  @Column({ type: 'datetime', precision: 3 })
  dueAt!: Date;

  /** Set: an attempt is under way until then. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  sendingUntil!: Date | null;

  /** HTTP status of the last attempt; NULL: no answer. */
  @Column({ type: 'smallint', unsigned: true, nullable: true })
  status!: number | null;

  /** Why the last attempt had no answer. */
  @Column({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  fault!: string | null;

  /** The beginning of the last answer, sealed. */
  @Column({ type: 'blob', nullable: true })
  answer!: Buffer | null;

  /** Duration of the last attempt. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  tookMs!: number | null;

  @Column({ type: 'datetime', precision: 3, nullable: true })
  attemptedAt!: Date | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'datetime', precision: 3, nullable: true })
  endedAt!: Date | null;

  /** When its body is erased or, without a body, the row is deleted. */
  @Index('webhook_deliveries_purge')
  @Column({ type: 'datetime', precision: 3, nullable: true })
  purgeAt!: Date | null;
}
