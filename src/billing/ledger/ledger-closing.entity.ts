import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Sums of an account's ledger rows up to a given row, so that later sums start there. One per past month. */
@Entity('ledger_closings')
export class LedgerClosingEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** The last month included, as 202611. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  month!: number;

  /** Id of the last ledger row included. Exact despite clock changes: an account's ids only grow. */
  @Column({ type: 'bigint', unsigned: true })
  throughId!: string;

  @Column({ type: 'bigint' })
  purchased!: string;

  @Column({ type: 'bigint' })
  gifted!: string;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
