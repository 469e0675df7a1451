import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A list of addresses that somebody uploaded in the console: one job for each of its parts. */
@Entity('lists')
@Index('lists_account', ['accountId', 'id'])
export class ListEntity {
  /** UUIDv7: rows are sorted by the time of the upload. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'varchar', length: 255, nullable: true })
  fileName!: string | null;

  @Column({ type: 'enum', enum: ['standard', 'enhanced'] })
  mode!: 'standard' | 'enhanced';

  /** How many parts it has. */
  @Column({ type: 'smallint', unsigned: true })
  parts!: number;

  /** Addresses of all parts. */
  @Column({ type: 'int', unsigned: true })
  total!: number;

  /** The user who uploaded it. */
  @Column({ type: 'binary', length: 16, nullable: true })
  createdBy!: Buffer | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;

  /** Invisible from this time on; then its rows are deleted. Its jobs expire by themselves. */
  @Index('lists_expiry')
  @Column({ type: 'datetime', precision: 3 })
  expiresAt!: Date;
}
