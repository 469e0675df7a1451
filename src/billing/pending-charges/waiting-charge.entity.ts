import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A part of a charge that waits on a pending probe, from the charge's own transaction until the probe has ended. No
 * foreign key to the probe: a charge may be committed after its probe has ended, and its row must stand all the same.
 */
@Entity('waiting_charges')
export class WaitingChargeEntity {
  /** Id of the pending probe. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  waitsOn!: Buffer;

  /** Of the charge's ledger row. */
  @PrimaryColumn({ type: 'varchar', length: 160, charset: 'ascii', collation: 'ascii_bin' })
  reference!: string;

  /** What of the charge: the refund's reference is the charge's, a colon, and this. */
  @PrimaryColumn({ type: 'varchar', length: 40, charset: 'ascii', collation: 'ascii_bin' })
  part!: string;

  /** What the address cost, also where the allowance paid. */
  @Column({ type: 'int', unsigned: true })
  credits!: number;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
