import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Five hundred ledger rows of an account, summed up. The statement finds the balance after a row from here, and skips chunks
 * without a row that it looks for.
 */
@Entity('ledger_chunks')
@Index('ledger_chunks_rows', ['accountId', 'fromId'])
@Index('ledger_chunks_times', ['accountId', 'firstAt'])
export class LedgerChunkEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** From 0, without a gap. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  number!: number;

  /** Id of the last row of the chunk before, or 0. */
  @Column({ type: 'bigint', unsigned: true })
  fromId!: string;

  /** Id of its own last row. */
  @Column({ type: 'bigint', unsigned: true })
  throughId!: string;

  /** Time of its earliest row. */
  @Column({ type: 'datetime', precision: 3 })
  firstAt!: Date;

  /** Time of its latest row. */
  @Column({ type: 'datetime', precision: 3 })
  lastAt!: Date;

  @Column({ type: 'int', unsigned: true })
  grants!: number;

  @Column({ type: 'int', unsigned: true })
  charges!: number;

  @Column({ type: 'int', unsigned: true })
  refunds!: number;

  /** Balance after its last row, in credits of both kinds. */
  @Column({ type: 'bigint' })
  creditsAfter!: string;
}
