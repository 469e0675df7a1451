import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../auth/account.entity.js';
import type { KeyMode } from '../../auth/api-key.js';
import { idTransformer } from '../../platform/database/id-transformer.js';
import type { EventType } from '../event-type.js';

/** Who switched an endpoint off: a person, the receiver with a 410, or five days of failures. */
export type DisabledBy = 'person' | 'gone' | 'failing';

/** Where an account wants its events. */
@Entity('webhook_endpoints')
@Index('webhook_endpoints_account', ['accountId', 'id'])
export class EndpointEntity {
  /** UUIDv7: rows are sorted by the time they were made. */
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  id!: string;

  @ForeignKey(() => AccountEntity, { name: 'webhook_endpoints_account_exists' })
  @Column({ type: 'binary', length: 16, transformer: idTransformer })
  accountId!: string;

  /** Events of live keys, or of test keys. */
  @Column({ type: 'enum', enum: ['live', 'test'] })
  mode!: KeyMode;

  @Column({ type: 'varchar', length: 2048 })
  url!: string;

  @Column({
    type: 'varchar',
    length: 255,
    charset: 'ascii',
    collation: 'ascii_bin',
    transformer: {
      to: (events: unknown) => (Array.isArray(events) ? events.join(',') : events),
      from: (text: string) => text.split(','),
    },
  })
  events!: readonly EventType[];

  /** `credits.low` is sent when the balance falls under it; null: never. */
  @Column({
    type: 'bigint',
    unsigned: true,
    nullable: true,
    transformer: { to: (n: unknown) => n, from: numberOrNull },
  })
  low!: number | null;

  /** 1: the balance was under `low` when it was last looked at. */
  @Column({ type: 'tinyint', default: 0 })
  isLow!: number;

  /** Sealed. Empty: the endpoint is deleted. */
  @Column({ type: 'varbinary', length: 255 })
  secret!: Buffer;

  /** Sealed: the secret before the last rotation. */
  @Column({ type: 'varbinary', length: 255, nullable: true })
  oldSecret!: Buffer | null;

  /** Until then, deliveries are signed with it too. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  oldSecretUntil!: Date | null;

  /** Sealed: the secret before the last rotation but one. Who never saw what that one made rotates again. */
  @Column({ type: 'varbinary', length: 255, nullable: true })
  olderSecret!: Buffer | null;

  /** Until then, deliveries are signed with it too. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  olderSecretUntil!: Date | null;

  /** When the first attempt failed after the last success. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  failingSince!: Date | null;

  /** Set: it is switched off. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column({ type: 'enum', enum: ['person', 'gone', 'failing'], nullable: true })
  disabledBy!: DisabledBy | null;

  /** Set: invisible. The row goes after its deliveries. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}

function numberOrNull(value: string | null): number | null {
  return value === null ? null : Number(value);
}
