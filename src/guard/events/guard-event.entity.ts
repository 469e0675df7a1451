import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One decision that a guard reported. The primary key sorts rows by account and mode, in order of arrival. */
@Entity('guard_events')
export class GuardEventEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** 1: reported with a test key. */
  @PrimaryColumn({ type: 'tinyint' })
  sandbox!: number;

  /** Time of arrival. */
  @Index('guard_events_age')
  @PrimaryColumn({ type: 'datetime', precision: 3 })
  at!: Date;

  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  /** The account's property with the reported key; null: none. */
  @Column({ type: 'binary', length: 16, nullable: true })
  propertyId!: Buffer | null;

  @Column({ type: 'varchar', length: 253, charset: 'utf8mb4', collation: 'utf8mb4_bin', nullable: true })
  domain!: string | null;

  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' })
  verdict!: string;

  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' })
  action!: string;

  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' })
  source!: string;

  @Column({ type: 'tinyint' })
  degraded!: number;

  @Column({ type: 'json' })
  reasons!: readonly string[];

  @Column({ type: 'varchar', length: 64, nullable: true })
  integration!: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  libVersion!: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  specVersion!: string | null;
}
