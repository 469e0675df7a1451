import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sums of an account's ledger rows up to one of them, so that later sums begin there. One a month, once it is over. */
@Entity('ledger_closings')
export class LedgerClosingEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** The last month it covers, as 202611. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  month!: number;

  /** Id of the last ledger row in the sums. Exact whatever the clock did: ids of an account only grow. */
  @Column({ type: 'bigint', unsigned: true })
  throughId!: string;

  @Column({ type: 'bigint' })
  purchased!: string;

  @Column({ type: 'bigint' })
  gifted!: string;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
